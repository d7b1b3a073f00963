/* Memory that is given back holds nothing of a key: `free` is taken over at the linker (-Wl,--wrap=free)
 * and looks at each block first. An AES key's first round keys are the key itself, so that a schedule
 * that was not wiped is found too. */
#include "ae.h"
#include "combseal.h"
#include "test.h"
#include <malloc.h>

void __real_free(void *at);
void __wrap_free(void *at);

static uint8_t KEY[32];
/* Volatile: a compiler knows that `free` changes no variable. */
static volatile int watching, blocks, found;

void __wrap_free(void *at) {
    if (at != NULL && watching) {
        const unsigned char *bytes = (const unsigned char *)at;
        size_t len = malloc_usable_size(at);
        blocks = blocks + 1;
        for (size_t i = 0; i + 8 <= len; i++)
            for (size_t k = 0; k + 8 <= sizeof KEY; k += 8)
                if (memcmp(bytes + i, KEY + k, 8) == 0) found = found + 1;
    }
    __real_free(at);
}

static int put(void *user, const uint8_t *data, size_t len) {
    (void)user, (void)data, (void)len;
    return 0;
}

/* `free` as it is called from here, and so by the wrapper. */
static void finds(void) {
    volatile unsigned char *leak = (volatile unsigned char *)malloc(500);
    CHECK(leak != NULL);
    for (size_t i = 0; i < 500; i++) leak[i] = i >= 99 && i < 115 ? KEY[i - 99] : 0;
    found = 0;
    free((void *)leak);
    CHECK(found > 0);
    found = 0;
}

int main(void) {
    static unsigned char buffers[40][200], tags[40][16], nonces[40][12];
    static combseal_job jobs[40];
    const char *name;
    combseal_batch *batch;
    for (size_t i = 0; i < sizeof KEY; i++) KEY[i] = (uint8_t)(i * 37 + 11);
    watching = 1;
    finds();
    for (size_t a = 0; (name = combseal_algorithm_name(a)) != NULL; a++) {
        size_t key_len = combseal_algorithm_key_len(name), nonce_len = combseal_algorithm_nonce_len(name);
        size_t tag_len = combseal_algorithm_tag_len(name);
        uint8_t bytes[64];
        combseal_key *key;
        combseal_sealer *sealer;
        combseal_opener *opener;
        int before = blocks;
        for (size_t i = 0; i < key_len; i++) bytes[i] = KEY[i % sizeof KEY];
        GIVES(combseal_key_new(&key, name, bytes, key_len), 0);
        GIVES(combseal_sealer_new_with(&sealer, key, COMBSEAL_XOR, KEY, nonce_len, 0, 0), 0);
        GIVES(combseal_opener_new(&opener, key, COMBSEAL_XOR, KEY, nonce_len), 0);
        GIVES(combseal_sealer_seal(sealer, NULL, 0, buffers[0], 100, buffers[0], buffers[1], tag_len, NULL, 0), 0);
        GIVES(combseal_batch_new(&batch), 0);
        if (nonce_len <= 12 && tag_len == 16) {
            for (size_t i = 0; i < 40; i++) {
                combseal_job job = {0};
                nonces[i][0] = (unsigned char)i;
                job.key = key, job.nonce = nonces[i], job.nonce_len = nonce_len;
                job.in = buffers[i], job.out = buffers[i], job.len = 5 * i;
                job.tag = tags[i], job.tag_len = 16;
                jobs[i] = job;
            }
            GIVES(combseal_batch_seal(batch, jobs, 40, sizeof *jobs), 0);
        }
        combseal_batch_free(batch);
        combseal_opener_free(opener);
        combseal_sealer_free(sealer);
        combseal_key_free(key);
        CHECK(blocks >= before + 4);
        if (found) fprintf(stderr, "%s: %d times\n", name, found);
        CHECK(found == 0);
    }
    /* ae.h: a context that is freed with a key, and one in the middle of a message. */
    for (int parts = 0; parts < 2; parts++) {
        ae_ctx *ctx = ae_allocate(NULL);
        int before = blocks;
        GIVES(ae_init(ctx, KEY, 32, 12, 16), AE_SUCCESS);
        GIVES(ae_encrypt(ctx, nonces[1], buffers[0], 96, buffers[1], 50, buffers[2], tags[0], !parts), 96);
        GIVES(ae_clear(ctx), AE_SUCCESS);
        GIVES(ae_init(ctx, KEY, 16, 12, 16), AE_SUCCESS);
        GIVES(ae_encrypt(ctx, nonces[1], buffers[0], 96, buffers[1], 50, buffers[2], tags[0], !parts), 96);
        ae_free(ctx);
        /* Twice the associated data, and the context. */
        CHECK(blocks >= before + 3 && found == 0);
    }
#ifdef STREAMS
    combseal_lock lock = {0};
    combseal_stream_options options = {0};
    combseal_sealing *sealing;
    lock.key = KEY, options.threads = 1;
    GIVES(combseal_sealing_new(&sealing, &options, &lock, 1, put, NULL), 0);
    GIVES(combseal_sealing_write(sealing, buffers[0], 200), 0);
    GIVES(combseal_sealing_finish(sealing), 0);
    combseal_sealing_free(sealing);
    CHECK(found == 0);
#else
    (void)put;
#endif
    return 0;
}
