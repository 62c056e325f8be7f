/* Calls, until its memory runs over: a board of five cards is too long for it. JSON lines, see docs/protocol.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

int main(void)
{
    while (fgets(line, sizeof line, stdin)) {
        const char *id = strstr(line, "\"id\":"), *street = strstr(line, "\"street\":");
        if (strstr(line, "\"type\":\"hello\"") || strstr(line, "\"type\": \"hello\"")) {
            printf("{\"name\":\"dora\"}\n");
        } else if (id && street) {
            if (atoi(street + 9) == 3)
                *(volatile int *)0 = 1; /* the segmentation fault of a pointer that was never set */
            printf("{\"id\":%d,\"move\":\"%s\"}\n", atoi(id + 5), strstr(line, "\"check\": true") || strstr(line, "\"check\":true") ? "check" : "call");
        }
        fflush(stdout);
    }
    return 0;
}
