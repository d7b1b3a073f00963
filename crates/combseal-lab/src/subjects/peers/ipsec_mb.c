/* Intel's ipsec-mb by its direct calls, one message at a time. Its interface is a table of
   function pointers behind macros, which C alone can read. */
#include <intel-ipsec-mb.h>
#include <stdlib.h>

struct combseal_imb {
        struct gcm_key_data gcm; /* wants 64-byte alignment */
        uint8_t key[32];
};

static IMB_MGR *manager;

/* The manager for the widest instructions here, shared; NULL if it cannot be made. */
const char *combseal_imb_begin(void)
{
        if (manager == NULL) {
                manager = alloc_mb_mgr(0);
                if (manager == NULL)
                        return NULL;
                init_mb_mgr_auto(manager, NULL);
        }
        return imb_get_version_str();
}

struct combseal_imb *combseal_imb_new(const uint8_t *key, int bits)
{
        size_t size = (sizeof(struct combseal_imb) + 63) / 64 * 64;
        struct combseal_imb *it = aligned_alloc(64, size);
        if (it == NULL)
                return NULL;
        if (bits == 128)
                IMB_AES128_GCM_PRE(manager, key, &it->gcm);
        else if (bits == 256)
                IMB_AES256_GCM_PRE(manager, key, &it->gcm);
        else /* ChaCha20 keeps no more than the key */
                for (int i = 0; i < 32; i++)
                        it->key[i] = key[i];
        return it;
}

void combseal_imb_free(struct combseal_imb *it)
{
        free(it);
}

size_t combseal_imb_size(void)
{
        return sizeof(struct gcm_key_data);
}

/* Encrypts or decrypts in place and gives the tag of what it saw; the caller compares. */
void combseal_imb_gcm(const struct combseal_imb *it, int bits, int open, const uint8_t *nonce, const uint8_t *ad,
                      size_t ad_len, uint8_t *buf, size_t len, uint8_t *tag)
{
        struct gcm_context_data context;
        if (bits == 128) {
                if (open)
                        IMB_AES128_GCM_DEC(manager, &it->gcm, &context, buf, buf, len, nonce, ad, ad_len, tag, 16);
                else
                        IMB_AES128_GCM_ENC(manager, &it->gcm, &context, buf, buf, len, nonce, ad, ad_len, tag, 16);
        } else {
                if (open)
                        IMB_AES256_GCM_DEC(manager, &it->gcm, &context, buf, buf, len, nonce, ad, ad_len, tag, 16);
                else
                        IMB_AES256_GCM_ENC(manager, &it->gcm, &context, buf, buf, len, nonce, ad, ad_len, tag, 16);
        }
}

void combseal_imb_chacha(const struct combseal_imb *it, int open, const uint8_t *nonce, const uint8_t *ad,
                         size_t ad_len, uint8_t *buf, size_t len, uint8_t *tag)
{
        struct chacha20_poly1305_context_data context;
        IMB_CHACHA20_POLY1305_INIT(manager, it->key, &context, nonce, ad, ad_len);
        if (open) {
                IMB_CHACHA20_POLY1305_DEC_UPDATE(manager, it->key, &context, buf, buf, len);
                IMB_CHACHA20_POLY1305_DEC_FINALIZE(manager, &context, tag, 16);
        } else {
                IMB_CHACHA20_POLY1305_ENC_UPDATE(manager, it->key, &context, buf, buf, len);
                IMB_CHACHA20_POLY1305_ENC_FINALIZE(manager, &context, tag, 16);
        }
}
