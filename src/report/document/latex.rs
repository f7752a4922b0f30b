//! The tables of a report as definitions for LaTeX (they need booktabs), and escaped texts.

use crate::report::document::blocks::{Block, Column, Kind, Table};
use crate::report::document::inline::{Span, spans};

/// The longest cell, in characters, whose column does not break its lines.
const LONG: usize = 50;

/// A definition for each table and one for its caption.
pub(super) fn tables(blocks: &[Block<'_>]) -> String {
    let table = |block: &Block<'_>| match block {
        Block::Table(table) => Some(definitions(table)),
        _ => None,
    };
    blocks.iter().filter_map(table).collect()
}

fn definitions(table: &Table) -> String {
    let Table { number, key, caption, columns, rows, .. } = table;
    let line = |cells: &mut dyn Iterator<Item = &String>| {
        let cells: Vec<String> = cells.map(|cell| escaped(cell)).collect();
        format!("{} \\\\\n", cells.join(" & "))
    };
    let header = line(&mut columns.iter().map(|column| &column.name));
    let rows: String = rows.iter().map(|row| line(&mut row.iter())).collect();
    format!(
        "\n% Table {number} of the report.\n\
         \\ttddefine{{table/{key}}}{{\\begin{{tabular}}{{@{{}}{}@{{}}}}\n\
         \\toprule\n{header}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}}}\n\
         \\ttddefine{{table-caption/{key}}}{{{}}}\n",
        alignment(table),
        escaped(caption)
    )
}

/// The alignment of the columns: a letter for each, as `lr`, but not for columns whose lines break.
fn alignment(table: &Table) -> String {
    let is_long = |index: usize| {
        table.columns[index].kind == Kind::Words
            && table.rows.iter().any(|row| row[index].chars().count() > LONG)
    };
    let long = (0..table.columns.len()).filter(|index| is_long(*index)).count();
    let letter = |(index, column): (usize, &Column)| match column.kind {
        Kind::Words if is_long(index) => format!("p{{{:.2}\\linewidth}}", 0.7 / long as f64),
        Kind::Words => "l".to_owned(),
        Kind::Numbers => "r".to_owned(),
    };
    table.columns.iter().enumerate().map(letter).collect()
}

/// A line with its marks, as LaTeX reads it. Only the words of a link stay.
pub(crate) fn escaped(line: &str) -> String {
    let span = |span: Span<'_>| match span {
        Span::Text(words) | Span::Link { text: words, .. } => text(words),
        Span::Code(words) => format!("\\texttt{{{}}}", text(words)),
        Span::Strong(words) => format!("\\textbf{{{}}}", text(words)),
    };
    spans(line).into_iter().map(span).collect()
}

fn text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => out.extend(['\\', c]),
            // The text's font prints other characters for these.
            '<' => out.push_str("\\ensuremath{<}"),
            '>' => out.push_str("\\ensuremath{>}"),
            '|' => out.push_str("\\ensuremath{|}"),
            // LaTeX would take these for an argument of a `\\` before them.
            '[' | '*' => out.extend(['{', c, '}']),
            // The braces prevent a ligature.
            '-' if rest.peek() == Some(&'-') => out.push_str("-{}"),
            '−' => out.push_str("\\ensuremath{-}"),
            '≤' => out.push_str("\\ensuremath{\\le}"),
            '×' => out.push_str("\\ensuremath{\\times}"),
            '∞' => out.push_str("\\ensuremath{\\infty}"),
            'Δ' => out.push_str("\\ensuremath{\\Delta}"),
            '†' => out.push_str("\\dag{}"),
            '‡' => out.push_str("\\ddag{}"),
            '²' => out.push_str("\\ensuremath{^2}"),
            '–' => out.push_str("--"),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::document::Report;

    #[test]
    fn nothing_is_a_command() {
        assert_eq!(
            escaped("50% of `a_b` at **x**: [1, ∞] − {2} \\x --m <> R² 4*"),
            "50\\% of \\texttt{a\\_b} at \\textbf{x}: {[}1, \\ensuremath{\\infty}] \\ensuremath{-} \\{2\\} \
             \\textbackslash{}x -{}-m \\ensuremath{<}\\ensuremath{>} R\\ensuremath{^2} 4{*}"
        );
    }

    #[test]
    fn signs_have_names() {
        let signs = "\\ensuremath{\\le} \\ensuremath{\\Delta}AICc 1.20\\dag{}\\ddag{}";
        assert_eq!(escaped("≤ ΔAICc 1.20†‡"), signs);
    }

    #[test]
    fn a_table_is_a_definition_named_by_its_place() {
        let mut report = Report::new(&[]);
        report.heading(2, "How it was");
        let long = "a long sentence ".repeat(4);
        let rows = [["threads", "why"], ["2*", long.as_str()]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        report.table("One.", &rows);
        report.table("Two.", &rows);
        let text = report.latex_tables();
        let first = "\\ttddefine{table/how-it-was-1}{\\begin{tabular}{@{}rp{0.70\\linewidth}@{}}\n\
             \\toprule\nthreads & why \\\\\n\\midrule\n2{*} & a long";
        assert!(text.contains(first), "{text}");
        assert!(text.contains("\\ttddefine{table-caption/how-it-was-2}{Two.}\n"), "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
