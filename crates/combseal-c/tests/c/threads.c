/* One key, used by several threads at once: each gets what it would get alone. */
#include "combseal.h"
#include "test.h"
#include <pthread.h>

static combseal_key *key;

static void *work(void *argument) {
    unsigned char message[333], sealed[349], nonce[12] = {0}, alone[349];
    unsigned id = *(unsigned *)argument;
    nonce[0] = (unsigned char)id;
    for (unsigned i = 0; i < 300; i++) {
        size_t len = (i * 7 + id) % sizeof message, written;
        nonce[11] = (unsigned char)i, nonce[10] = (unsigned char)(i >> 8);
        memset(message, (int)i, sizeof message);
        GIVES(combseal_seal_attached(key, nonce, 12, nonce, 12, message, len, sealed, sizeof sealed, &written), 0);
        memcpy(alone, sealed, written);
        GIVES(combseal_open_attached(key, nonce, 12, nonce, 12, sealed, written, sealed, len, &written), 0);
        CHECK(written == len && memcmp(sealed, message, len) == 0);
        GIVES(combseal_seal_attached(key, nonce, 12, nonce, 12, sealed, len, sealed, sizeof sealed, &written), 0);
        CHECK(memcmp(alone, sealed, written) == 0);
        alone[i % written] ^= 1;
        GIVES(combseal_open_attached(key, nonce, 12, nonce, 12, alone, written, alone, len, &written),
              COMBSEAL_ERROR_FORGED);
    }
    return NULL;
}

int main(void) {
    static const uint8_t bytes[16] = {1};
    pthread_t threads[8];
    unsigned ids[8];
    GIVES(combseal_key_new(&key, "OCB3-AES-128", bytes, 16), 0);
    for (unsigned i = 0; i < 8; i++) {
        ids[i] = i;
        CHECK(pthread_create(&threads[i], NULL, work, &ids[i]) == 0);
    }
    for (unsigned i = 0; i < 8; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    combseal_key_free(key);
    return 0;
}
