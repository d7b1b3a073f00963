/* A burst of packets, sealed in one call: each with its own header and tag, the nonces counted.
 *
 *     cc batch.c $(pkg-config --cflags --libs combseal) */
#include <combseal.h>
#include <stdio.h>
#include <string.h>

enum { BURST = 32, BODY = 1200, TAG = 16 };

/* A job may be the first field of a structure of the program's own. */
typedef struct {
    combseal_job job;
    uint8_t header[8], body[BODY + TAG];
} packet;

int main(void) {
    static const uint8_t secret[16] = "a shared secret";
    static packet burst[BURST];
    combseal_key *key = NULL;
    combseal_sealer *sealer = NULL;
    combseal_batch *batch = NULL;
    uint64_t first = 0;
    int code = combseal_key_new(&key, "OCB3-AES-128", secret, sizeof secret);
    if (!code) code = combseal_sealer_new(&sealer, key, (const uint8_t *)"us->", 4);
    if (!code) code = combseal_batch_new(&batch); /* Kept for the next bursts. */

    for (int i = 0; !code && i < BURST; i++) {
        packet *it = &burst[i];
        combseal_job job = {0};
        memset(it->body, i, BODY);
        job.ad = it->header, job.ad_len = sizeof it->header;
        job.in = it->body, job.len = BODY, job.out = it->body;
        job.tag = it->body + BODY, job.tag_len = TAG;
        it->job = job;
    }
    if (!code) code = combseal_sealer_seal_batch(sealer, batch, &burst[0].job, BURST, sizeof(packet), &first);
    if (!code) printf("%d packets, their counters from %llu on\n", BURST, (unsigned long long)first);
    else fprintf(stderr, "%s\n", combseal_strerror(code)); /* Each packet's own is in its `result`. */

    combseal_batch_free(batch);
    combseal_sealer_free(sealer);
    combseal_key_free(key);
    return code != 0;
}
