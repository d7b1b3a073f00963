/* ae.h: authenticated encryption by OCB3 (RFC 7253) behind Krovetz's interface of 2012, for programs
 * that carry his code today: link libcombseal-ae in its place.
 *
 * What differs from the original, for good reasons:
 *
 *  - ae_free and ae_clear zero the context, and a context must not be copied: one that was is told
 *    by its address, and refused.
 *  - Pointers, lengths and overlapping buffers are checked: AE_NOT_SUPPORTED. (That none of them lies in
 *    the context is not: that is the caller's part.) After any error the output, the tag of what was to be
 *    sealed too, is zero, as far as its length can be told.
 *  - Nobody sees plaintext that was not verified, unless he asks for it: to decrypt in parts is
 *    AE_NOT_SUPPORTED until ae_allow_unverified_plaintext was called.
 *  - A part that is refused ends its message: the next one is refused too.
 *  - Keys have 16, 24 or 32 bytes, nonces 6 to 15, tags 8 to 16.
 *
 * A context is used by one thread at a time.
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef COMBSEAL_AE_H
#define COMBSEAL_AE_H

#ifdef __cplusplus
extern "C" {
#endif

/* Results, where a function does not return a number of bytes. */
#define AE_SUCCESS 0
#define AE_INVALID (-1)       /* The tag is wrong; the output is zero. */
#define AE_NOT_SUPPORTED (-2) /* Lengths, parts or pointers that are not taken. */

/* For `final`: the last part of a message, or all of it; more follows. */
#define AE_FINALIZE 1
#define AE_PENDING 0

typedef struct _ae_ctx ae_ctx;

/* Memory for a context, which ae_init is to fill; NULL if there is none. `misc` is not looked at. */
ae_ctx *ae_allocate(void *misc);

/* Zeroes a context that ae_allocate gave, and gives its memory back. NULL is fine. */
void ae_free(ae_ctx *ctx);

/* Zeroes a context, wherever it is: AE_SUCCESS. To be called before memory of the caller's goes
 * away: what a context keeps of associated data and of a message under way lies on the heap. All
 * ae_ctx_sizeof() bytes are zeroed whether a context lives there or not: of one that was moved, by memcpy
 * or realloc, too; what it had on the heap is then lost and not wiped. */
int ae_clear(ae_ctx *ctx);

/* Bytes of a context, for callers that have it in memory of their own: of any alignment. */
int ae_ctx_sizeof(void);

/* Makes a key of key_len bytes, for nonces and tags of these lengths: AE_SUCCESS, or
 * AE_NOT_SUPPORTED, and the context is as it was. Memory of the caller's may hold anything before. Of a
 * context that had a key and was not cleared all is overwritten, but what it kept of associated data, and
 * a message under way, stay on the heap: call ae_clear first. */
int ae_init(ae_ctx *ctx, const void *key, int key_len, int nonce_len, int tag_len);

/* Seals pt_len bytes to `ct` (which may be `pt`), with ad_len bytes of associated data, or those of
 * the message before if ad_len is negative: the last one, in either direction, that was done to its end,
 * so that what was refused or forged does not count; no bytes if there was none. The tag goes to `tag`, or
 * behind the ciphertext if that is NULL. Returns the bytes written to `ct`: pt_len, or with the tag behind
 * pt_len + tag_len.
 *
 * A message may come in parts. The first has the nonce and AE_PENDING, those that follow have NULL for
 * the nonce, and the last has AE_FINALIZE; then, and not before, the tag is written. Parts before
 * the last have a multiple of 16 bytes. Associated data may come with any part, in pieces of any length, and
 * are one string in the end; "those of the message before" can be said with the first part alone. A nonce
 * begins a new message, and one that was not finished is lost, its nonce used. */
int ae_encrypt(ae_ctx *ctx, const void *nonce, const void *pt, int pt_len, const void *ad, int ad_len,
               void *ct, void *tag, int final);

/* Opens ct_len bytes, of which the last tag_len are the tag if `tag` is NULL, to `pt` (which may be
 * `ct`). Returns the bytes of plaintext, or AE_INVALID, and their place is zero. In parts (see there) only
 * once it is allowed, and then `tag`, or the tag behind, is looked at with the last part. */
int ae_decrypt(ae_ctx *ctx, const void *nonce, const void *ct, int ct_len, const void *ad, int ad_len,
               void *pt, const void *tag, int final);

/* From now on (allow != 0), and until ae_init or allow == 0, ae_decrypt takes messages in parts: IT GIVES
 * PLAINTEXT THAT NOBODY HAS VERIFIED. Nothing that depends on it may be seen from outside before the
 * last part has been opened. If that is AE_INVALID its own output is zero, but not what the parts before
 * it gave: that is the caller's to wipe. Whoever can, decrypts in one call. A message under way is
 * lost. AE_SUCCESS, or AE_NOT_SUPPORTED of what is no context. (Not of the original.) */
int ae_allow_unverified_plaintext(ae_ctx *ctx, int allow);

#ifdef __cplusplus
}
#endif

#endif /* COMBSEAL_AE_H */
