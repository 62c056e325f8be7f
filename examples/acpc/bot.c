/* A bot for the protocol of the Annual Computer Poker Competition: Texas hold'em, limit and no-limit, any number of seats.

   Compile:  cc -O2 -o bot bot.c
   Run:      ./bot GAMEFILE HOST PORT

   It raises the least that it may with a pair or an ace in the hand, once in each round; it folds two small cards to a
   raise; otherwise it calls. What it shows is how a bot finds out, from a state alone, whose turn it is. */

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SEATS = 10, ROUNDS = 4, LINE = 8192 };

typedef struct {
    int is_limit, seats;
    int stack[SEATS], blind[SEATS], first[ROUNDS], raise_size[ROUNDS];
} Game;

typedef struct {
    int round, actor, is_over;
    int raises, waiting;        /* in this round; for how many players it still waits */
    int most, big;              /* chips that a player has to match in all; the big blind */
    int spent[SEATS], folded[SEATS];
} Hand;

static void read_numbers(const char *text, int *numbers, int count)
{
    for (int k = 0; k < count; k++)
        numbers[k] = (int)strtol(text, (char **)&text, 10);
}

static Game read_game(const char *path)
{
    Game game = { 0 };
    char line[256], *values;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    for (int k = 0; k < SEATS; k++)
        game.stack[k] = 2147483647;
    for (int k = 0; k < ROUNDS; k++)
        game.first[k] = 1;
    while (fgets(line, sizeof line, file)) {
        if (!strncmp(line, "limit", 5))
            game.is_limit = 1;
        if (!(values = strchr(line, '=')))
            continue;
        values++;
        if (!strncmp(line, "numPlayers", 10))
            game.seats = atoi(values);
        else if (!strncmp(line, "stack", 5))
            read_numbers(values, game.stack, game.seats);
        else if (!strncmp(line, "blind", 5))
            read_numbers(values, game.blind, game.seats);
        else if (!strncmp(line, "raiseSize", 9))
            read_numbers(values, game.raise_size, ROUNDS);
        else if (!strncmp(line, "firstPlayer", 11))
            read_numbers(values, game.first, ROUNDS);
    }
    fclose(file);
    return game;
}

static int may_act(const Game *game, const Hand *hand, int seat)
{
    return !hand->folded[seat] && hand->spent[seat] < game->stack[seat];
}

static int next_to_act(const Game *game, const Hand *hand, int seat)
{
    for (int k = 0; k < game->seats; k++, seat = (seat + 1) % game->seats)
        if (may_act(game, hand, seat))
            return seat;
    return -1;
}

static int how_many_may_act(const Game *game, const Hand *hand)
{
    int count = 0;
    for (int k = 0; k < game->seats; k++)
        count += may_act(game, hand, k);
    return count;
}

static void begin_round(const Game *game, Hand *hand, int round)
{
    hand->round = round;
    hand->raises = 0;
    hand->waiting = how_many_may_act(game, hand);
    hand->actor = next_to_act(game, hand, game->first[round] - 1);
}

/* Follow the betting of a state up to its present moment. */
static Hand follow(const Game *game, const char *betting)
{
    Hand hand = { 0 };
    int live = game->seats, able;
    for (int k = 0; k < game->seats; k++) {
        hand.spent[k] = game->blind[k];
        if (game->blind[k] > hand.most)
            hand.most = hand.big = game->blind[k];
    }
    begin_round(game, &hand, 0);
    for (; *betting; betting++) {
        int seat = hand.actor;
        if (*betting == '/') {
            begin_round(game, &hand, hand.round + 1);
            continue;
        }
        if (seat < 0)
            break;
        hand.waiting--;
        if (*betting == 'f') {
            hand.folded[seat] = 1;
            live--;
        } else if (*betting == 'c') {
            hand.spent[seat] = hand.most < game->stack[seat] ? hand.most : game->stack[seat];
        } else {
            hand.most = game->is_limit ? hand.most + game->raise_size[hand.round] : (int)strtol(betting + 1, NULL, 10);
            hand.spent[seat] = hand.most;
            hand.raises++;
            hand.waiting = how_many_may_act(game, &hand) - may_act(game, &hand, seat);
            while (betting[1] >= '0' && betting[1] <= '9')
                betting++;
        }
        hand.actor = next_to_act(game, &hand, (seat + 1) % game->seats);
    }
    /* Over: one player is left, or nobody can bet against anybody, or the river's betting is complete. */
    able = how_many_may_act(game, &hand);
    hand.is_over = live == 1 || able == 0 || (able == 1 && hand.spent[hand.actor] >= hand.most)
        || (hand.round == ROUNDS - 1 && !hand.waiting);
    return hand;
}

static int rank(char card)
{
    return (int)(strchr("23456789TJQKA", card) - "23456789TJQKA");
}

static void decide(const Game *game, const Hand *hand, const char *hole, char *action)
{
    int one = rank(hole[0]), two = rank(hole[2]), me = hand->actor;
    int is_good = one == two || one == 12 || two == 12, is_small = one < 6 && two < 6;
    int total = hand->most + hand->big;
    if (is_good && !hand->raises && hand->most < game->stack[me]) {
        if (game->is_limit)
            strcpy(action, "r");
        else
            sprintf(action, "r%d", total < game->stack[me] ? total : game->stack[me]);
    } else if (is_small && hand->raises && hand->spent[me] < hand->most)
        strcpy(action, "f");
    else
        strcpy(action, "c");
}

static int connect_to(const char *host, const char *port)
{
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;
    int connection;
    if (getaddrinfo(host, port, &hints, &found)
        || (connection = socket(found->ai_family, found->ai_socktype, 0)) < 0
        || connect(connection, found->ai_addr, found->ai_addrlen)) {
        perror(host);
        exit(1);
    }
    return connection;
}

int main(int count, char **words)
{
    static char line[LINE], betting[LINE], cards[LINE];
    if (count != 4) {
        fprintf(stderr, "usage: %s GAMEFILE HOST PORT\n", words[0]);
        return 1;
    }
    Game game = read_game(words[1]);
    int dealer = connect_to(words[2], words[3]);
    FILE *states = fdopen(dealer, "r"), *answers = fdopen(dup(dealer), "w");
    fprintf(answers, "VERSION:2.0.0\r\n");
    fflush(answers);
    while (fgets(line, sizeof line, states)) {
        int position, number, at;
        char action[16];
        line[strcspn(line, "\r\n")] = 0;
        if (sscanf(line, "MATCHSTATE:%d:%d:%n", &position, &number, &at) < 2)
            continue;
        size_t length = strcspn(line + at, ":");
        memcpy(betting, line + at, length);
        betting[length] = 0;
        strcpy(cards, line + at + length + 1);
        Hand hand = follow(&game, betting);
        if (hand.is_over || hand.actor != position)
            continue;
        char *hole = cards;
        for (int k = 0; k < position; k++)
            hole = strchr(hole, '|') + 1;
        decide(&game, &hand, hole, action);
        fprintf(answers, "%s:%s\r\n", line, action);
        fflush(answers);
    }
    return 0;
}
