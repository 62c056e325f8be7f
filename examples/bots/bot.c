/* A bot for the protocol of docs/protocol.md, with the standard library alone:
 *     cc -O2 -o bot bot.c -lm && holdem match program:./bot nit
 * It looks at one decision at a time: how strong is the hand, what does a call cost, what is there to win. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST (1 << 20)
static const char RANKS[] = "23456789TJQKA";
static const double STRONG = 0.8, BLUFFS = 0.1;

/* ---- Reading JSON: where the value of a field begins, without building anything. ---- */

/* Behind a value: text, an object, a list, or a plain word. */
static const char *behind(const char *at) {
    int depth = 0;
    do {
        if (*at == '"') {
            for (at++; *at && *at != '"'; at++) at += *at == '\\';
        } else if (*at == '{' || *at == '[') {
            depth++;
        } else if (*at == '}' || *at == ']') {
            depth--;
        } else if (depth == 0) {
            return at + strcspn(at, ",]} \n");
        }
        at += *at != 0;
    } while (*at && depth > 0);
    return at;
}

static const char *skip(const char *at) { return at + strspn(at, " ,:\n"); }

/* The value of a field of an object; "null" if it has none. */
static const char *field(const char *object, const char *name) {
    size_t length = strlen(name);
    for (const char *at = skip(object + 1); *at && *at != '}';) {
        const char *value = skip(behind(at));
        if (!strncmp(at + 1, name, length) && at[1 + length] == '"') return value;
        at = skip(behind(value));
    }
    return "null";
}

/* The item of a list with this number; NULL behind the last. */
static const char *item(const char *list, int number) {
    const char *at = skip(list + 1);
    while (*list == '[' && *at != ']' && number-- > 0) at = skip(behind(at));
    return *list == '[' && *at != ']' ? at : NULL;
}

static double number(const char *value) { return strtod(value, NULL); }
static int is(const char *value, const char *word) { return !strncmp(value, word, strlen(word)); }

/* ---- Playing. ---- */

typedef struct {
    int count, ranks[13], suits[128]; /* how many cards there are of each */
    int high, second;                 /* the two highest ranks */
} Cards;

static void add_cards(Cards *to, const char *list) {
    const char *card;
    for (int k = 0; (card = item(list, k)) != NULL; k++) {
        int rank = (int)(strchr(RANKS, card[1]) - RANKS);
        to->count++, to->ranks[rank]++, to->suits[card[2] & 127]++;
        if (rank > to->high) to->second = to->high, to->high = rank;
        else if (rank > to->second) to->second = rank;
    }
}

/* How good a hand is, from 0 to 1, by simple rules. */
static double strength(const char *hole, const char *board) {
    Cards own = {.high = -1, .second = -1}, table = own, all = own;
    add_cards(&own, hole), add_cards(&table, board), add_cards(&all, hole), add_cards(&all, board);
    int paired = 0, suited = 0, flush = 0, straight = 0, pairs = 0, best = 0, twos = 0, pair = -1;
    for (int s = 0; s < 128; s++) suited |= own.suits[s] > 1, flush |= own.suits[s] && all.suits[s] >= 5;
    for (int r = 0; r < 13; r++) {
        paired |= own.ranks[r] > 1, pairs += all.ranks[r] > 1;
        int mine = own.ranks[r] ? all.ranks[r] : 0;
        if (mine > best) best = mine;
        if (mine == 2) twos++, pair = r;
        int run = 0;
        while (run < 5 && r + run < 13 && all.ranks[r + run]) run++;
        straight |= run == 5;
    }
    if (!table.count) {
        int two = own.high + (own.count > 1 ? own.second : 0);
        return 0.15 + 0.02 * two + 0.3 * paired + 0.05 * suited;
    }
    if (flush || straight || (best >= 3 && pairs > 1)) return 0.95;
    if (best >= 3) return 0.85;
    if (twos >= 2) return 0.75;
    if (twos == 1) return pair >= table.high ? 0.6 : 0.45;
    return 0.15 + 0.01 * own.high;
}

/* Answer a decision. */
static void decide(const char *m) {
    const char *legal = field(m, "legal"), *least = field(legal, "raise_min"), *folded;
    double call = number(field(legal, "call")), pot = number(field(m, "pot"));
    int free_check = is(field(legal, "check"), "true"), live = 0;
    for (int k = 0; (folded = item(field(m, "folded"), k)) != NULL; k++) live += is(folded, "false");
    double share = strength(field(m, "hole_cards"), field(m, "board")) - 0.04 * (live - 2);
    printf("{\"id\":%.0f,\"move\":", number(field(m, "id")));
    if (!is(least, "null") && (share >= STRONG || (free_check && number(field(m, "random")) < BLUFFS))) {
        double bet = number(item(field(m, "bets"), (int)number(field(m, "seat"))));
        double chip = number(field(field(m, "game"), "smallest_chip"));
        double total = floor((bet + call + 2 * pot / 3) / chip) * chip;
        printf("\"raise\",\"to\":%.0f}\n", fmax(number(least), fmin(total, number(field(legal, "raise_max")))));
    } else if (free_check) {
        puts("\"check\"}");
    } else { /* is the hand's share of the pot worth the price? */
        puts(share >= call / (pot + call) + 0.1 ? "\"call\"}" : "\"fold\"}");
    }
}

int main(void) {
    static char line[LONGEST];
    while (fgets(line, sizeof line, stdin)) {
        const char *type = field(line, "type");
        if (is(type, "\"hello\"")) puts("{\"name\":\"c bot\"}");
        else if (is(type, "\"decision\"")) decide(line);
        fflush(stdout); /* other messages need no answer */
    }
    return 0;
}
