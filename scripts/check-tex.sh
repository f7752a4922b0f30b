#!/usr/bin/env bash
# Makes two PDFs of the figures.tex of a results directory: scripts/sample.tex, and a document with every table and every chart.
# They go to the second directory, or are thrown away. Exits 1 if LaTeX finds a fault.
#
#     scripts/check-tex.sh DIR [OUT]
#
# Needs pdflatex with booktabs and pgfplots (Debian: apt-get install texlive-latex-recommended texlive-pictures).
set -euo pipefail
scripts=$(realpath "$(dirname "$0")")
dir=$(realpath "$1")
out=${2:-}
if [ -z "$out" ]; then
    out=$(mktemp -d)
    trap 'rm -rf "$out"' EXIT
fi
mkdir -p "$out"
cp "$scripts/sample.tex" "$out"
cd "$out"

{
    sed -n '1,/\\input{figures}/p' sample.tex
    echo '\begin{document}'
    # A table as wide as it is, but no wider than the page.
    # shellcheck disable=SC2016
    echo '\newsavebox{\whole}'
    sed -n 's/^\\ttddefine{table\/\([^}]*\)}.*/\1/p' "$dir/figures.tex" | while read -r key; do
        echo "\\section*{$key} \\ttdTableCaption{$key}\\par\\medskip\\noindent"
        echo "\\sbox{\\whole}{\\ttdTable{$key}}"
        echo '\ifdim\wd\whole>\linewidth\resizebox{\linewidth}{!}{\usebox{\whole}}\else\usebox{\whole}\fi\clearpage'
    done
    sed -n 's/^\\ttddefine{plot\/\([^}]*\)}.*/\1/p' "$dir/figures.tex" | while read -r key; do
        echo "\\section*{$key} \\noindent\\ttdPlot{$key}\\par\\ttdPlotCaption{$key}\\clearpage"
    done
    echo '\end{document}'
} >everything.tex

for document in sample everything; do
    TEXINPUTS=$dir: pdflatex -interaction=nonstopmode -halt-on-error "$document.tex" >"$document.out" 2>&1 || {
        grep -A 5 '^!' "$document.out" >&2
        exit 1
    }
    # shellcheck disable=SC2016
    grep -o '^Output written on .*' "$document.out"
done
