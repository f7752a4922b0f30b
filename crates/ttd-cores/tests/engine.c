/* A small engine for tests: Lazy SMP over a synthetic game tree, in C11 with pthreads.
 *
 * A position is a word. Its moves lead to hashes of it, and its score is a hash too, near that of
 * its parent. It speaks UCI: uci, isready, setoption Threads and Hash, position, go depth N, go
 * infinite, stop, quit. Two commands try virtual cores: fork, spin. The workers are parked in a pool and share a table without locks (Hyatt and Mann's XOR).
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
static int threads = 1, megabytes = 1, limit = 8, busy;
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
    return (key ^ *data) == position;
}

static void store(uint64_t position, int depth, int score, int move, int bound) {
    uint64_t data = (uint64_t)(uint16_t)score | (uint64_t)depth << 16 | (uint64_t)move << 24
        | (uint64_t)bound << 32 | (uint64_t)1 << 40;
    Slot *slot = &table[position % slots];
    atomic_store_explicit(&slot->key, position ^ data, memory_order_relaxed);
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
    atomic_fetch_add_explicit(&worker->nodes, 1, memory_order_relaxed);
    if (atomic_load_explicit(&stopped, memory_order_relaxed)) return 0;
    if (depth <= 0) return evaluation(position, bias);
    uint64_t data;
    int first = -1;
    if (probe(position, &data)) {
        int score = (int16_t)(data & 0xFFFF), bound = (int)(data >> 32 & 3);
        first = (int)(data >> 24 & 0xFF);
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

static void deepen(Worker *worker) {
    double start = seconds();
    int best = 0;
    memset(worker->history, 0, sizeof worker->history);
    for (int depth = 1; depth <= limit + (worker->number ? 8 : 0); depth++) {
        int score = search(worker, root, 0, depth + worker->number % 2, -INFINITE, INFINITE);
        if (atomic_load(&stopped)) break;
        best = worker->best;
        if (worker->number == 0) {
            printf("info depth %d score cp %d nodes %llu time %.0f pv %c1%c2\n", depth, score,
                (unsigned long long)all_nodes(), (seconds() - start) * 1e3, 'a' + best % 8, 'a' + best % 8);
            fflush(stdout);
        }
    }
    worker->best = best;
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
    pthread_mutex_lock(&lock);
    while (busy > 1) pthread_cond_wait(&finished, &lock);
    pthread_mutex_unlock(&lock);
    printf("bestmove %c1%c2\n", 'a' + worker->best % 8, 'a' + worker->best % 8);
    fflush(stdout);
}

static void *work(void *argument) {
    Worker *worker = argument;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (!worker->wanted && !quitting) pthread_cond_wait(&wanted, &lock);
        if (quitting) break;
        pthread_mutex_unlock(&lock);
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

static void go(void) {
    await_pool();
    memset(table, 0, slots * sizeof(Slot));
    for (int number = 0; number < threads; number++) atomic_store(&workers[number]->nodes, 0);
    atomic_store(&stopped, false);
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
                "option name Hash type spin default 1 min 1 max 1024\nuciok\n");
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
        } else if (!strncmp(line, "position", 8)) {
            await_pool();
            root = 1;
            for (const char *letter = line + 8; *letter; letter++) root = hash(root * 31 + (unsigned char)*letter);
        } else if (sscanf(line, "go depth %d", &value) == 1 && value > 0 && value < MOST_DEPTH) {
            limit = value;
            go();
        } else if (!strcmp(line, "go infinite")) {
            limit = MOST_DEPTH - 9;
            go();
        }
        fflush(stdout);
    }
    close_pool();
    free(table);
    return 0;
}
