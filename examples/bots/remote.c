/* Any bot of pipes as a bot of the network, with the standard library of a POSIX system alone:
 *     cc -O2 -o remote remote.c && HOLDEM_TOKEN=... ./remote ws://HOST:PORT/play COMMAND...
 * Each match has a program of its own. If the connection is lost they end, and start over when it is back.
 * It speaks ws://; for wss:// let a program such as stunnel add TLS, or take remote.py. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CONTINUED = 0, TEXT = 1, CLOSE = 8, PING = 9, PONG = 10 };
enum { OVER = 1000 }; /* how a connection is closed when the tournament is over */
static const int RETRY = 1, LAST_SECONDS = 5, LOOK = 1000;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

/* ---- Bytes that wait: to be read, or to be written. ---- */

typedef struct {
    char *at;
    size_t size, room;
} Bytes;

static void append(Bytes *bytes, const void *more, size_t size) {
    if (bytes->size + size + 1 > bytes->room) {
        bytes->room = 2 * (bytes->size + size + 1);
        if (!(bytes->at = realloc(bytes->at, bytes->room))) fail("remote");
    }
    memcpy(bytes->at + bytes->size, more, size);
    bytes->at[bytes->size += size] = 0;
}

static void drop(Bytes *bytes, size_t size) {
    bytes->size -= size;
    memmove(bytes->at, bytes->at + size, bytes->size + 1);
}

static void clear(Bytes *bytes) {
    free(bytes->at);
    memset(bytes, 0, sizeof *bytes);
}

/* Read what is there; 0 at the end. */
static int fill(Bytes *bytes, int from) {
    static char piece[1 << 16];
    ssize_t got = read(from, piece, sizeof piece);
    if (got < 0) return errno == EINTR || errno == EAGAIN;
    append(bytes, piece, (size_t)got);
    return got > 0;
}

/* Write what can be written; 0 if nobody reads. */
static int flush(Bytes *bytes, int to) {
    ssize_t put = bytes->size ? write(to, bytes->at, bytes->size) : 0;
    if (put > 0) drop(bytes, (size_t)put);
    return put >= 0 || errno == EINTR || errno == EAGAIN;
}

/* ---- WebSocket (RFC 6455): a connection, and frames. ---- */

static void urandom(void *to, size_t size) {
    int from = open("/dev/urandom", O_RDONLY);
    if (from < 0 || read(from, to, size) != (ssize_t)size) fail("/dev/urandom");
    close(from);
}

static void send_all(int to, const char *at, size_t size) {
    while (size) {
        ssize_t put = write(to, at, size);
        if (put < 0 && errno != EINTR) return; /* it is lost, as reading will say */
        if (put > 0) at += put, size -= (size_t)put;
    }
}

static void send_frame(int to, int kind, const char *text, size_t size) {
    unsigned char head[14] = {(unsigned char)(0x80 | kind)}, *mask = head + 2;
    if (size < 126) {
        head[1] = (unsigned char)(0x80 | size);
    } else {
        int length = size < 65536 ? 2 : 8;
        head[1] = (unsigned char)(0x80 | (length == 2 ? 126 : 127));
        for (int k = 0; k < length; k++) *mask++ = (unsigned char)((uint64_t)size >> 8 * (length - 1 - k));
    }
    urandom(mask, 4);
    char *masked = malloc(size + 1);
    if (!masked) fail("remote");
    for (size_t k = 0; k < size; k++) masked[k] = (char)(text[k] ^ mask[k % 4]);
    send_all(to, (char *)head, (size_t)(mask + 4 - head));
    send_all(to, masked, size);
    free(masked);
}

/* The size of the first frame's head in these bytes and of its content; 0 if it is not all there. */
static size_t frame_head(const Bytes *bytes, uint64_t *size) {
    const unsigned char *at = (const unsigned char *)bytes->at;
    if (bytes->size < 2) return 0;
    size_t length = (at[1] & 127) < 126 ? 0 : (at[1] & 127) == 126 ? 2 : 8;
    if (bytes->size < 2 + length) return 0;
    *size = length ? 0 : at[1] & 127;
    for (size_t k = 0; k < length; k++) *size = *size << 8 | at[2 + k];
    return bytes->size - 2 - length < *size ? 0 : 2 + length;
}

/* Connect to ws://HOST:PORT/PATH and join; -1 if nobody is there. Ends the program if the token is refused. */
static int joined(const char *address, const char *token) {
    char host[256] = "", port[6] = "80", path[512] = "/";
    if (sscanf(address, "ws://%255[^:/]:%5[0-9]%511s", host, port, path) < 2) {
        fprintf(stderr, "the address must be ws://HOST:PORT/play, got %s\n", address);
        exit(2);
    }
    struct addrinfo wish = {.ai_socktype = SOCK_STREAM}, *found, *each;
    if (getaddrinfo(host, port, &wish, &found)) return -1;
    int at = -1;
    for (each = found; each && at < 0; each = each->ai_next) {
        at = socket(each->ai_family, each->ai_socktype, each->ai_protocol);
        if (at >= 0 && connect(at, each->ai_addr, each->ai_addrlen)) close(at), at = -1;
    }
    freeaddrinfo(found);
    if (at < 0) return -1;
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char key[25] = "AAAAAAAAAAAAAAAAAAAAAA==", request[2048], answer[4096] = "";
    unsigned char bytes[21];
    urandom(bytes, sizeof bytes);
    for (int k = 0; k < 21; k++) key[k] = letters[bytes[k] & 63];
    int size = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer %s\r\n\r\n",
                        path, host, port, key, token);
    send_all(at, request, (size_t)size);
    for (size_t got = 0; got < sizeof answer - 1 && !strstr(answer, "\r\n\r\n"); got++)
        if (read(at, answer + got, 1) != 1) break;
    if (strstr(answer, " 101 ")) return at;
    fprintf(stderr, "refused: %.60s\n", strncmp(answer, "HTTP/1.1 ", 9) ? "no answer" : strtok(answer + 9, "\r\n"));
    close(at);
    if (!strncmp(answer + 9, "401", 3)) exit(1);
    return -1;
}

/* ---- Programs: one for each match. ---- */

typedef struct {
    char number[24];
    pid_t pid;
    int to, from; /* -1 once they are closed */
    Bytes waiting, heard;
    time_t end; /* when it must have ended; 0 while the match is played */
} Bot;

static Bot *bots;
static size_t count;

static Bot *started(const char *number, char **command) {
    int in[2], out[2];
    if (pipe(in) || pipe(out)) fail("pipe");
    for (int k = 0; k < 2; k++) fcntl(in[k], F_SETFD, FD_CLOEXEC), fcntl(out[k], F_SETFD, FD_CLOEXEC);
    pid_t pid = fork();
    if (pid < 0) fail("fork");
    if (!pid) {
        dup2(in[0], 0), dup2(out[1], 1);
        execvp(*command, command);
        perror(*command);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    fcntl(in[1], F_SETFL, O_NONBLOCK), fcntl(out[0], F_SETFL, O_NONBLOCK);
    if (!(bots = realloc(bots, (count + 1) * sizeof *bots))) fail("remote");
    bots[count] = (Bot){.pid = pid, .to = in[1], .from = out[0]};
    snprintf(bots[count].number, sizeof bots->number, "%s", number);
    return &bots[count++];
}

static void hang_up(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

static void forget(size_t which) {
    Bot *bot = &bots[which];
    hang_up(&bot->to), hang_up(&bot->from), clear(&bot->waiting), clear(&bot->heard);
    *bot = bots[--count];
}

/* Send the whole lines that a bot has said. */
static void tell(int socket, Bot *bot, const char *lines, size_t size) {
    Bytes text = {0};
    append(&text, bot->number, strlen(bot->number)), append(&text, "\n", 1), append(&text, lines, size);
    send_frame(socket, TEXT, text.at, text.size);
    clear(&text);
}

static void listen_to(int socket, Bot *bot) {
    int more = fill(&bot->heard, bot->from);
    size_t size = bot->heard.size;
    while (size && bot->heard.at[size - 1] != '\n') size--;
    if (size) tell(socket, bot, bot->heard.at, size), drop(&bot->heard, size);
    if (more) return;
    static const char ended[] = "{\"error\": \"the program has ended\"}"; /* after `bye` nobody listens */
    tell(socket, bot, ended, sizeof ended - 1);
    hang_up(&bot->from);
}

/* A message of the server: the number of a match, and lines for its program. */
static void pass_on(Bytes *message, char **command) {
    char *lines = strchr(message->at, '\n');
    if (!lines) return;
    *lines++ = 0;
    Bot *bot = NULL;
    for (size_t k = 0; k < count; k++)
        if (!bots[k].end && !strcmp(bots[k].number, message->at)) bot = &bots[k];
    if (!bot) bot = started(message->at, command);
    append(&bot->waiting, lines, message->size - (size_t)(lines - message->at));
    if (strstr(lines, "{\"type\":\"bye\"}")) bot->end = time(NULL) + LAST_SECONDS;
}

/* Write to the programs, and end those whose match is over. */
static void look_after(void) {
    for (size_t k = count; k-- > 0;) {
        Bot *bot = &bots[k];
        if (bot->to >= 0 && !flush(&bot->waiting, bot->to)) hang_up(&bot->to);
        if (!bot->end) continue;
        if (!bot->waiting.size) hang_up(&bot->to);
        if (time(NULL) >= bot->end) kill(bot->pid, SIGKILL);
        if (waitpid(bot->pid, NULL, WNOHANG) == bot->pid) forget(k);
    }
}

/* ---- Playing: until the connection is over. Returns how it was closed. ---- */

static int play(int socket, char **command) {
    Bytes heard = {0}, message = {0};
    int code = 1006;
    for (int is_open = 1; is_open;) {
        struct pollfd *looks = malloc((1 + 2 * count) * sizeof *looks);
        size_t many = count;
        if (!looks) fail("remote");
        looks[0] = (struct pollfd){.fd = socket, .events = POLLIN};
        for (size_t k = 0; k < many; k++) {
            looks[1 + 2 * k] = (struct pollfd){.fd = bots[k].from, .events = POLLIN};
            looks[2 + 2 * k] = (struct pollfd){.fd = bots[k].waiting.size ? bots[k].to : -1, .events = POLLOUT};
        }
        poll(looks, (nfds_t)(1 + 2 * many), LOOK);
        for (size_t k = 0; k < many; k++)
            if (looks[1 + 2 * k].revents) listen_to(socket, &bots[k]);
        if (looks[0].revents && !fill(&heard, socket)) is_open = 0;
        free(looks);
        uint64_t size;
        for (size_t head; is_open && (head = frame_head(&heard, &size)); drop(&heard, head + (size_t)size)) {
            const unsigned char *at = (const unsigned char *)heard.at;
            int kind = at[0] & 15;
            if (kind == PING) send_frame(socket, PONG, heard.at + head, (size_t)size);
            if (kind == CLOSE) {
                code = size >= 2 ? at[head] << 8 | at[head + 1] : 1005;
                send_frame(socket, CLOSE, heard.at + head, size >= 2 ? 2 : 0);
                is_open = 0;
            }
            if (kind != TEXT && kind != CONTINUED) continue;
            append(&message, heard.at + head, (size_t)size);
            if (at[0] & 0x80) pass_on(&message, command), clear(&message);
        }
        look_after();
    }
    for (; count; forget(count - 1)) kill(bots[count - 1].pid, SIGKILL), waitpid(bots[count - 1].pid, NULL, 0);
    clear(&heard), clear(&message);
    return code;
}

int main(int words, char **word) {
    const char *token = getenv("HOLDEM_TOKEN");
    if (words < 3 || !token) {
        fprintf(stderr, "usage: HOLDEM_TOKEN=... %s ws://HOST:PORT/play COMMAND...\n", *word);
        return 2;
    }
    signal(SIGPIPE, SIG_IGN);
    for (;;) {
        int socket = joined(word[1], token);
        if (socket >= 0) {
            int code = play(socket, word + 2);
            close(socket);
            if (code == OVER) return 0;
            fprintf(stderr, "closed: %d; trying again\n", code);
        }
        sleep((unsigned)RETRY);
    }
}
