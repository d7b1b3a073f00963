/* Packets between two ends: nonces are counted, and no packet is taken twice.
 *
 *     cc packets.c $(pkg-config --cflags --libs combseal) */
#include <combseal.h>
#include <stdio.h>
#include <string.h>

enum { HEADER = 8, ROOM = 1500, TAG = 16, NONCE = 12 };

/* What an end needs: one key, expanded once, for both directions. */
typedef struct {
    combseal_key *key;
    combseal_sealer *out;
    combseal_opener *in;
} end;

static int start(end *it, const uint8_t key[16], const char *mine, const char *theirs) {
    int code = combseal_key_new(&it->key, "OCB3-AES-128", key, 16);
    if (!code) code = combseal_sealer_new(&it->out, it->key, (const uint8_t *)mine, 4);
    if (!code) code = combseal_opener_new(&it->in, it->key, COMBSEAL_PREFIX, (const uint8_t *)theirs, 4);
    return code;
}

static void stop(end *it) {
    combseal_opener_free(it->in);
    combseal_sealer_free(it->out);
    combseal_key_free(it->key); /* Last: the others have borrowed it. */
}

int main(void) {
    static const uint8_t secret[16] = "a shared secret";
    end us = {0}, them = {0};
    uint8_t packet[HEADER + ROOM + TAG], nonce[NONCE];
    size_t sealed, opened;
    int code = start(&us, secret, "us->", "them");
    if (!code) code = start(&them, secret, "them", "us->");

    for (int i = 0; !code && i < 3; i++) {
        uint8_t *body = packet + HEADER;
        int len = snprintf((char *)body, ROOM, "packet %d", i);
        memcpy(packet, "header..", HEADER);
        /* In place: the header is authenticated, the body sealed, the tag behind it. */
        code = combseal_sealer_seal_attached(us.out, packet, HEADER, body, (size_t)len, body, ROOM + TAG, &sealed,
                                             nonce, NONCE);
        if (code) break;
        /* On the wire the nonce goes along, or what is needed to make it. */
        code = combseal_opener_open_attached(them.in, nonce, NONCE, packet, HEADER, body, sealed, body, ROOM, &opened);
        if (!code) printf("%.*s\n", (int)opened, (const char *)body);
    }
    if (!code) {
        /* The last one comes again, as anyone can make it: it is refused before it is opened. */
        uint8_t again[TAG] = {0};
        int replayed = combseal_opener_open_attached(them.in, nonce, NONCE, packet, HEADER, again, TAG, again, 0, &opened);
        printf("again: %s\n", combseal_strerror(replayed));
        code = replayed == COMBSEAL_ERROR_REPLAYED ? 0 : 1;
    }
    if (code) fprintf(stderr, "%s\n", combseal_strerror(code));
    stop(&us);
    stop(&them);
    return code != 0;
}
