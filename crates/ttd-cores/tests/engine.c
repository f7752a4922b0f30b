/* A small engine for tests: Lazy SMP over a synthetic game tree, in C11 with pthreads.
 *
 * A position is a word. Its moves lead to hashes of it, and its score is a hash too, near that of
 * its parent. It speaks UCI: uci, isready, setoption Threads, Hash and Fault, position, go (depth,
 * movetime, wtime and btime, infinite), stop, quit. The workers are parked in a pool and share a
 * table without locks (Hyatt and Mann's XOR).
 *
 * A move is told as that of a man from the first rank to the second, or from the eighth to the
 * seventh. So in "rrrkrrrr/8/8/8/8/8/8/RRRKRRRR w" the first move of each side is one of chess.
 *
 * Two commands try virtual cores: fork, spin.
 *
 * The option Fault plants one of four faults, each of which shows under some schedules only.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A wake-up is lost between a look without the lock and the wait. A helper that starts late takes a
 * stop back. An entry of the table is used while it is half written. The leader tells the move of a
 * helper's iteration, which may be unfinished. */
enum { NONE, LOST_WAKE, DEAF_HELPER, TORN_ENTRY, UNFINISHED_MOVE };
static const char *const faults[] = { "none", "lost-wake", "deaf-helper", "torn-entry", "unfinished-move" };
enum { MOST_WORKERS = 256, MOST_MOVES = 24, MOST_DEPTH = 64, INFINITE = 30000 };

typedef struct {
    _Atomic uint64_t key, data;
} Slot;

typedef struct {
    pthread_t thread;
    int number;
    _Atomic uint64_t nodes;
    uint32_t history[4096];
    int best, score;
    bool wanted;
} Worker;

static Slot *table;
static size_t slots;
static Worker *workers[MOST_WORKERS];
static int threads = 1, megabytes = 1, limit = 8, busy, fault = NONE;
static bool black;
static double budget; /* seconds of a search; 0: no limit */
static double began;
static uint64_t root = 1;
static atomic_bool stopped;
static bool quitting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, finished = PTHREAD_COND_INITIALIZER;

static uint64_t hash(uint64_t word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

static uint64_t after(uint64_t position, int move) {
    return hash(position + 0x9E3779B97F4A7C15u * (uint64_t)(move + 1));
}

static int moves_of(uint64_t position) {
    return 6 + (int)((position >> 33) % 12);
}

/* The score of a position for the side to move: noise that its children share in part. */
static int evaluation(uint64_t position, int bias) {
    return bias + (int)(position & 127) - 64;
}

/* A move's part in the score of what follows: good moves come in any order. */
static int worth(uint64_t position, int move) {
    return (int)(hash(position ^ (uint64_t)move * 77) & 255) - 160;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static bool probe(uint64_t position, uint64_t *data) {
    Slot *slot = &table[position % slots];
    uint64_t key = atomic_load_explicit(&slot->key, memory_order_relaxed);
    *data = atomic_load_explicit(&slot->data, memory_order_relaxed);
    return (fault == TORN_ENTRY ? key : key ^ *data) == position;
}

static void store(uint64_t position, int depth, int score, int move, int bound) {
    uint64_t data = (uint64_t)(uint16_t)score | (uint64_t)depth << 16 | (uint64_t)move << 24
        | (uint64_t)bound << 32 | (uint64_t)1 << 40;
    Slot *slot = &table[position % slots];
    if (fault == TORN_ENTRY) atomic_store_explicit(&slot->key, position, memory_order_relaxed);
    else atomic_store_explicit(&slot->key, position ^ data, memory_order_relaxed);
    atomic_store_explicit(&slot->data, data, memory_order_relaxed);
}

/* Orders moves: the table's first, then by worth as the eye sees it, then by history. */
static int order(Worker *worker, uint64_t position, int first, int *list) {
    int count = moves_of(position), key[MOST_MOVES];
    for (int move = 0; move < count; move++) {
        uint32_t past = worker->history[(position ^ (uint64_t)move * 131) & 4095];
        int own = worth(position, move) / 8 + (int)(past >> 4);
        if (move == first) own = 1 << 20;
        int at = move;
        while (at > 0 && key[at - 1] < own) {
            key[at] = key[at - 1];
            list[at] = list[at - 1];
            at--;
        }
        key[at] = own;
        list[at] = move;
    }
    return count;
}

static int search(Worker *worker, uint64_t position, int bias, int depth, int alpha, int beta) {
    uint64_t nodes = atomic_fetch_add_explicit(&worker->nodes, 1, memory_order_relaxed);
    if (budget > 0 && worker->number == 0 && nodes % 256 == 255 && seconds() - began > budget)
        atomic_store(&stopped, true);
    if (atomic_load_explicit(&stopped, memory_order_relaxed)) return 0;
    if (depth <= 0) return evaluation(position, bias);
    uint64_t data;
    int first = -1;
    if (probe(position, &data)) {
        int score = (int16_t)(data & 0xFFFF), bound = (int)(data >> 32 & 3);
        first = (int)(data >> 24 & 0xFF);
        /* The move is trusted, as engines trust it. */
        if (first >= moves_of(position)) abort();
        if ((int)(data >> 16 & 0xFF) >= depth && position != root
            && (bound == 0 || (bound == 1 && score >= beta) || (bound == 2 && score <= alpha)))
            return score;
    }
    int list[MOST_MOVES], best = -INFINITE, best_move = 0, old = alpha;
    int count = order(worker, position, first, list);
    for (int at = 0; at < count; at++) {
        int move = list[at], left = depth - 1, score;
        uint64_t next = after(position, move);
        int own = -(bias + worth(position, move));
        if (at >= 4 && depth >= 3) left -= 1 + (at >= 8);
        if (at == 0) {
            score = -search(worker, next, own, left, -beta, -alpha);
        } else {
            score = -search(worker, next, own, left, -alpha - 1, -alpha);
            if (score > alpha && (score < beta || left < depth - 1))
                score = -search(worker, next, own, depth - 1, -beta, -alpha);
        }
        if (atomic_load_explicit(&stopped, memory_order_relaxed)) return 0;
        if (score > best) {
            best = score;
            best_move = move;
            if (fault == UNFINISHED_MOVE && position == root) worker->best = move;
        }
        if (score > alpha) alpha = score;
        if (alpha >= beta) {
            worker->history[(position ^ (uint64_t)move * 131) & 4095] += (uint32_t)(depth * depth);
            break;
        }
    }
    store(position, depth, best, best_move, best >= beta ? 1 : best <= old ? 2 : 0);
    if (position == root) worker->best = best_move;
    return best;
}

static uint64_t all_nodes(void) {
    uint64_t sum = 0;
    for (int number = 0; number < threads; number++)
        sum += atomic_load_explicit(&workers[number]->nodes, memory_order_relaxed);
    return sum;
}

static void tell(const char *before, int move, const char *after) {
    int file = 'a' + move % 8;
    printf("%s%c%c%c%c%s", before, file, black ? '8' : '1', file, black ? '7' : '2', after);
}

static void deepen(Worker *worker) {
    double start = seconds();
    int best = 0;
    memset(worker->history, 0, sizeof worker->history);
    for (int depth = 1; depth <= limit + (worker->number ? 8 : 0); depth++) {
        int score = search(worker, root, 0, depth + worker->number % 2, -INFINITE, INFINITE);
        if (atomic_load(&stopped)) break;
        best = worker->best;
        if (worker->number == 0) {
            printf("info depth %d score cp %d nodes %llu time %.0f pv ", depth, score,
                (unsigned long long)all_nodes(), (seconds() - start) * 1e3);
            tell("", best, "\n");
            fflush(stdout);
        }
    }
    if (fault != UNFINISHED_MOVE || worker->number == 0) worker->best = best;
}

/* Worker 0 wakes the others, searches, stops them, and tells the move. */
static void lead(Worker *worker) {
    pthread_mutex_lock(&lock);
    for (int number = 1; number < threads; number++) {
        workers[number]->wanted = true;
        busy++;
    }
    pthread_cond_broadcast(&wanted);
    pthread_mutex_unlock(&lock);
    deepen(worker);
    atomic_store(&stopped, true);
    if (fault == LOST_WAKE) {
        while (*(volatile int *)&busy > 1) {
            pthread_mutex_lock(&lock);
            pthread_cond_wait(&finished, &lock);
            pthread_mutex_unlock(&lock);
        }
    }
    pthread_mutex_lock(&lock);
    while (busy > 1) pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
    int teller = fault == UNFINISHED_MOVE && threads > 1 ? 1 : 0;
    tell("bestmove ", workers[teller]->best, "\n");
    fflush(stdout);
}

static void *work(void *argument) {
    Worker *worker = argument;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!worker->wanted && !quitting) pthread_cond_wait(&wanted, &lock);
        if (quitting) break;
        pthread_mutex_unlock(&lock);
        if (fault == DEAF_HELPER && worker->number > 0) atomic_store(&stopped, false);
        if (worker->number == 0) lead(worker); else deepen(worker);
        pthread_mutex_lock(&lock);
        worker->wanted = false;
        busy--;
        pthread_cond_broadcast(&finished);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void await_pool(void) {
    pthread_mutex_lock(&lock);
    while (busy > 0) pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
}

static void close_pool(void) {
    await_pool();
    pthread_mutex_lock(&lock);
    quitting = true;
    pthread_cond_broadcast(&wanted);
    pthread_mutex_unlock(&lock);
    for (int number = 0; number < threads && workers[number]; number++) {
        pthread_join(workers[number]->thread, NULL);
        free(workers[number]);
        workers[number] = NULL;
    }
    quitting = false;
}

static void open_pool(int count) {
    threads = count;
    for (int number = 0; number < threads; number++) {
        workers[number] = calloc(1, sizeof(Worker));
        workers[number]->number = number;
        pthread_create(&workers[number]->thread, NULL, work, workers[number]);
    }
}

static void resize(void) {
    free(table);
    slots = (size_t)megabytes << 16;
    table = calloc(slots, sizeof(Slot));
}

/* Takes the limits of a search: a depth, a time, or a thirtieth of a clock. */
static void take_limits(const char *line) {
    const char *words[] = { "depth ", "movetime ", black ? "btime " : "wtime " };
    int values[3] = { 0, 0, 0 };
    for (int at = 0; at < 3; at++) {
        const char *word = strstr(line, words[at]);
        if (word) values[at] = atoi(word + strlen(words[at]));
    }
    limit = values[0] > 0 && values[0] < MOST_DEPTH ? values[0] : MOST_DEPTH - 9;
    budget = values[1] > 0 ? values[1] * 0.95e-3 : values[2] / 30e3;
}

static void go(void) {
    await_pool();
    memset(table, 0, slots * sizeof(Slot));
    for (int number = 0; number < threads; number++) atomic_store(&workers[number]->nodes, 0);
    atomic_store(&stopped, false);
    began = seconds();
    pthread_mutex_lock(&lock);
    workers[0]->wanted = true;
    busy++;
    pthread_cond_broadcast(&wanted);
    pthread_mutex_unlock(&lock);
}

static void *raise_flag(void *flag) {
    for (volatile long count = 0; count < 300000; count++) { }
    atomic_store((atomic_bool *)flag, true);
    return NULL;
}

/* A child that counts for longer than a quantum, while another thread of its parent is ready. */
static void try_fork(void) {
    atomic_bool flag = false;
    pthread_t other;
    int status = 0;
    pthread_create(&other, NULL, raise_flag, &flag);
    pid_t child = fork();
    if (child == 0) {
        for (volatile long count = 0; count < 9000000; count++) { }
        _exit(atomic_load(&flag) ? 1 : 7);
    }
    waitpid(child, &status, 0);
    pthread_join(other, NULL);
    printf("child %d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
}

/* A loop of one block and one call of the library, until another thread ends it. */
static void try_spin(void) {
    atomic_bool flag = false;
    pthread_t other;
    struct timespec now;
    pthread_create(&other, NULL, raise_flag, &flag);
    do clock_gettime(CLOCK_MONOTONIC, &now);
    while (!atomic_load(&flag));
    pthread_join(other, NULL);
    printf("spun\n");
}

int main(void) {
    char line[4096];
    resize();
    open_pool(1);
    while (fgets(line, sizeof line, stdin)) {
        int value;
        line[strcspn(line, "\n")] = 0;
        if (!strcmp(line, "quit")) break;
        else if (!strcmp(line, "uci"))
            printf("id name ttd test engine\noption name Threads type spin default 1 min 1 max 256\n"
                "option name Hash type spin default 1 min 1 max 1024\n"
                "option name Fault type combo default none var none var lost-wake var deaf-helper "
                "var torn-entry var unfinished-move\nuciok\n");
        else if (!strcmp(line, "isready")) printf("readyok\n");
        else if (!strcmp(line, "fork")) try_fork();
        else if (!strcmp(line, "spin")) try_spin();
        else if (!strcmp(line, "stop")) atomic_store(&stopped, true);
        else if (sscanf(line, "setoption name Threads value %d", &value) == 1 && value > 0 && value <= MOST_WORKERS) {
            close_pool();
            open_pool(value);
        } else if (sscanf(line, "setoption name Hash value %d", &value) == 1 && value > 0) {
            await_pool();
            megabytes = value;
            resize();
        } else if (!strncmp(line, "setoption name Fault value ", 27)) {
            await_pool();
            for (int at = NONE; at <= UNFINISHED_MOVE; at++)
                if (!strcmp(line + 27, faults[at])) fault = at;
        } else if (!strncmp(line, "position", 8)) {
            await_pool();
            const char *moves = strstr(line, " moves ");
            black = strstr(line, " b ") != NULL;
            for (const char *letter = moves ? moves + 7 : ""; *letter; letter++)
                if (letter[-1] == ' ') black = !black;
            root = 1;
            for (const char *letter = line + 8; *letter; letter++) root = hash(root * 31 + (unsigned char)*letter);
        } else if (!strncmp(line, "go ", 3)) {
            await_pool();
            take_limits(line);
            go();
        }
        fflush(stdout);
    }
    close_pool();
    free(table);
    return 0;
}
