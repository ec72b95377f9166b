// The system's OpenSSL 3, as Cryptography (its only Swift owner) sees it. What Swift cannot import
// (macros, variadic functions) and what OpenSSL calls back becomes a documented static inline
// function here.
#pragma once
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Input and output

/// The memory through which the sessions of one thread read and write: what the network has brought
/// and no session has read yet, and what a session has written for the network.
struct tls_memory {
    const unsigned char *input;
    size_t input_count;
    /// Grown by `tls_write` as needed.
    unsigned char *output;
    size_t output_count;
    size_t output_capacity;
};

/// Reads from the input; asks to be called again if it is empty.
static inline int tls_read(BIO *bio, char *bytes, int capacity) {
    struct tls_memory *memory = (struct tls_memory *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (capacity <= 0) return 0;
    if (memory->input_count == 0) {
        BIO_set_retry_read(bio);
        return -1;
    }
    size_t count = memory->input_count;
    if (count > (size_t)capacity) count = (size_t)capacity;
    memcpy(bytes, memory->input, count);
    memory->input += count;
    memory->input_count -= count;
    return (int)count;
}

/// Appends to the output; fails only if there is no memory.
static inline int tls_write(BIO *bio, const char *bytes, int count) {
    struct tls_memory *memory = (struct tls_memory *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    if (count <= 0) return 0;
    size_t needed = memory->output_count + (size_t)count;
    if (needed > memory->output_capacity) {
        size_t capacity = needed < 32768 ? 65536 : 2 * needed;
        unsigned char *larger = (unsigned char *)realloc(memory->output, capacity);
        if (!larger) return -1;
        memory->output = larger;
        memory->output_capacity = capacity;
    }
    memcpy(memory->output + memory->output_count, bytes, (size_t)count);
    memory->output_count = needed;
    return count;
}

static inline long tls_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio;
    (void)number;
    (void)pointer;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

static inline int tls_create(BIO *bio) {
    BIO_set_init(bio, 1);
    return 1;
}

/// The kind of BIO whose data is a `tls_memory`; one for the process. NULL without memory.
static inline BIO_METHOD *tls_memory_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "memory");
    if (!method) return NULL;
    BIO_meth_set_read(method, tls_read);
    BIO_meth_set_write(method, tls_write);
    BIO_meth_set_ctrl(method, tls_control);
    BIO_meth_set_create(method, tls_create);
    return method;
}

/// Makes a session read and write through a memory; returns false without memory.
static inline bool tls_use_memory(SSL *session, BIO_METHOD *method, struct tls_memory *memory) {
    BIO *bio = BIO_new(method);
    if (!bio) return false;
    BIO_set_data(bio, memory);
    SSL_set_bio(session, bio, bio);
    return true;
}

// Contexts

/// Sets what contexts of servers and of clients have in common: `minimum` is 12 or 13 for TLS 1.2
/// or 1.3. A session frees its buffers while it has nothing to read or write, and a read ends after
/// each message of TLS itself, so that these can be counted.
static inline bool tls_prepare(SSL_CTX *context, int minimum) {
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    return SSL_CTX_set_min_proto_version(context, minimum == 12 ? TLS1_2_VERSION : TLS1_3_VERSION);
}

/// Makes a session overwrite the peer's bytes in its own buffers as soon as they are read, or stop
/// that.
static inline void tls_erase_read_bytes(SSL *session, bool erases) {
    if (erases) {
        SSL_set_options(session, SSL_OP_CLEANSE_PLAINTEXT);
    } else {
        SSL_clear_options(session, SSL_OP_CLEANSE_PLAINTEXT);
    }
}

/// The protocols that a context offers or accepts, as ALPN writes them: each after its length.
struct tls_protocols {
    unsigned char bytes[64];
    unsigned int count;
};

/// Accepts the first of the client's protocols that the server has; refuses a client that has none
/// of them. A client that names no protocol is accepted.
static inline int tls_choose_protocol(SSL *session,
                                      const unsigned char **chosen,
                                      unsigned char *chosen_count,
                                      const unsigned char *offered,
                                      unsigned int offered_count,
                                      void *argument) {
    (void)session;
    const struct tls_protocols *known = (const struct tls_protocols *)argument;
    unsigned char *found;
    int status = SSL_select_next_proto(&found, chosen_count, known->bytes, known->count, offered,
                                       offered_count);
    if (status != OPENSSL_NPN_NEGOTIATED) return SSL_TLSEXT_ERR_ALERT_FATAL;
    *chosen = found;
    return SSL_TLSEXT_ERR_OK;
}

/// The certificates of a server: a context for each, the first of which serves clients that name no
/// server, or an unknown one.
struct tls_certificates {
    size_t count;
    SSL_CTX **contexts;
};

/// Gives a session the first context whose certificate is for the name that the client asks for.
static inline int tls_choose_certificate(SSL *session, int *alert, void *argument) {
    (void)alert;
    const struct tls_certificates *all = (const struct tls_certificates *)argument;
    const char *name = SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
    if (!name) return SSL_TLSEXT_ERR_NOACK;
    for (size_t index = 0; index < all->count; index++) {
        X509 *leaf = SSL_CTX_get0_certificate(all->contexts[index]);
        if (leaf && X509_check_host(leaf, name, 0, 0, NULL) == 1) {
            SSL_set_SSL_CTX(session, all->contexts[index]);
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_NOACK;
}

static inline void tls_set_certificate_choice(SSL_CTX *context, struct tls_certificates *all) {
    SSL_CTX_set_tlsext_servername_callback(context, tls_choose_certificate);
    SSL_CTX_set_tlsext_servername_arg(context, all);
}

// Tickets

/// A key for tickets.
struct tls_ticket_key {
    unsigned char name[16];
    unsigned char cipher[32];
    unsigned char digest[32];
};

/// The keys for tickets: the first one makes new tickets, the others open those made before.
struct tls_ticket_keys {
    int count;
    struct tls_ticket_key keys[3];
};

/// Replaces the newest key: makes one, and forgets the oldest if there are three. Returns false,
/// with nothing changed, without randomness.
static inline bool tls_rotate_tickets(struct tls_ticket_keys *keys) {
    struct tls_ticket_key key;
    if (RAND_bytes(key.name, sizeof key.name) != 1) return false;
    if (RAND_priv_bytes(key.cipher, sizeof key.cipher) != 1) return false;
    if (RAND_priv_bytes(key.digest, sizeof key.digest) != 1) return false;
    memmove(&keys->keys[1], &keys->keys[0], 2 * sizeof key);
    keys->keys[0] = key;
    if (keys->count < 3) keys->count++;
    OPENSSL_cleanse(&key, sizeof key);
    return true;
}

static inline int tls_use_ticket_key(const struct tls_ticket_key *key,
                                     unsigned char *vector,
                                     EVP_CIPHER_CTX *cipher,
                                     EVP_MAC_CTX *digest,
                                     int seals) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void *)key->digest,
                                          sizeof key->digest),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"sha256", 0),
        OSSL_PARAM_construct_end(),
    };
    return EVP_CipherInit_ex(cipher, EVP_aes_256_cbc(), NULL, key->cipher, vector, seals) == 1 &&
           EVP_MAC_CTX_set_params(digest, parameters) == 1;
}

/// Seals a ticket with the newest key, or opens one with the key that it names. A ticket without a
/// key here is ignored: the handshake is a full one.
static inline int tls_ticket(SSL *session,
                             unsigned char *name,
                             unsigned char *vector,
                             EVP_CIPHER_CTX *cipher,
                             EVP_MAC_CTX *digest,
                             int seals) {
    const struct tls_ticket_keys *keys =
        (const struct tls_ticket_keys *)SSL_CTX_get_app_data(SSL_get_SSL_CTX(session));
    if (!keys || keys->count == 0) return seals ? -1 : 0;
    if (seals) {
        memcpy(name, keys->keys[0].name, sizeof keys->keys[0].name);
        if (RAND_bytes(vector, 16) != 1) return -1;
        return tls_use_ticket_key(&keys->keys[0], vector, cipher, digest, 1) ? 1 : -1;
    }
    for (int number = 0; number < keys->count; number++) {
        if (memcmp(name, keys->keys[number].name, sizeof keys->keys[number].name) != 0) continue;
        if (!tls_use_ticket_key(&keys->keys[number], vector, cipher, digest, 0)) return -1;
        // 2 asks for a new ticket: clients use one only once.
        return 2;
    }
    return 0;
}

/// Makes a server's context use these keys for tickets that are valid for `seconds`, one for each
/// handshake; the router remembers no session.
static inline void tls_set_tickets(SSL_CTX *context,
                                   struct tls_ticket_keys *keys,
                                   long seconds) {
    SSL_CTX_set_app_data(context, keys);
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, tls_ticket);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_num_tickets(context, 1);
    SSL_CTX_set_timeout(context, seconds);
    SSL_CTX_set_session_id_context(context, (const unsigned char *)"rr", 2);
}

/// Keeps a client's newest ticket in its context, for the next session with the same server.
static inline int tls_keep_ticket(SSL *session, SSL_SESSION *ticket) {
    SSL_SESSION **kept = (SSL_SESSION **)SSL_CTX_get_app_data(SSL_get_SSL_CTX(session));
    SSL_SESSION_free(*kept);
    *kept = ticket;
    return 1;
}

/// Makes a client's context keep tickets in `kept`, which the caller frees.
static inline void tls_keep_tickets(SSL_CTX *context, SSL_SESSION **kept) {
    SSL_CTX_set_app_data(context, kept);
    SSL_CTX_set_session_cache_mode(context,
                                   SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE);
    SSL_CTX_sess_set_new_cb(context, tls_keep_ticket);
}

/// Names the server that a client wants, by its DNS name.
static inline bool tls_ask_for(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, (char *)name) == 1;
}

// Keys and certificates

/// Returns no passphrase: keys that need one are refused, instead of asking for it on the terminal.
static inline int tls_no_passphrase(char *buffer, int size, int seals, void *context) {
    (void)buffer;
    (void)size;
    (void)seals;
    (void)context;
    return -1;
}

/// A new key for ECDSA with the curve P-256; NULL on failure.
static inline EVP_PKEY *new_signing_key(void) { return EVP_EC_gen("P-256"); }

/// Adds an extension, written as in OpenSSL's configuration files, to a certificate that `issuer`
/// will sign.
static inline bool add_extension(X509 *certificate, X509 *issuer, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    if (!extension) return false;
    int status = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return status == 1;
}

/// The alternative names of a certificate (subjectAltName); NULL if it has none. The caller frees
/// them with `free_names`.
static inline GENERAL_NAMES *alternative_names(const X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline void free_names(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

/// The number of names.
static inline int name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

/// One of the names, if it is a DNS name or a URI: `kind` is GEN_DNS or GEN_URI, and `bytes` and
/// `count` are its text, which belongs to the names. Returns false for a name of another kind.
static inline bool name_at(const GENERAL_NAMES *names,
                           int index,
                           int *kind,
                           const unsigned char **bytes,
                           int *count) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    const ASN1_STRING *text = (const ASN1_STRING *)GENERAL_NAME_get0_value(name, kind);
    if (*kind != GEN_DNS && *kind != GEN_URI) return false;
    *bytes = ASN1_STRING_get0_data(text);
    *count = ASN1_STRING_length(text);
    return true;
}

/// Whether the authorities of a server's context vouch for the certificate that a session's client
/// has shown, perhaps to another context.
static inline bool tls_vouches_for_client(SSL_CTX *context, SSL *session) {
    X509 *leaf = SSL_get1_peer_certificate(session);
    X509_STORE_CTX *check = X509_STORE_CTX_new();
    bool is_trusted = leaf && check &&
                      X509_STORE_CTX_init(check, SSL_CTX_get_cert_store(context), leaf,
                                          SSL_get_peer_cert_chain(session)) == 1 &&
                      X509_STORE_CTX_set_default(check, "ssl_client") == 1 &&
                      X509_verify_cert(check) == 1;
    X509_STORE_CTX_free(check);
    X509_free(leaf);
    return is_trusted;
}

/// The bytes of a memory BIO.
static inline long memory_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

/// Whether an error says that the peer does not speak TLS at all.
static inline bool is_not_tls(unsigned long error) {
    int reason = ERR_GET_REASON(error);
    return ERR_GET_LIB(error) == ERR_LIB_SSL &&
           (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST ||
            reason == SSL_R_HTTPS_PROXY_REQUEST);
}

/// Whether an error says that the peer's certificate was refused.
static inline bool is_refused_certificate(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_SSL &&
           ERR_GET_REASON(error) == SSL_R_CERTIFICATE_VERIFY_FAILED;
}

/// Whether an error says that a PEM file has nothing more.
static inline bool is_end_of_pem(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

// Signatures

/// HMAC (RFC 2104) with a digest whose blocks have 64 bytes, such as SHA-256; `code` gets the bytes
/// of one digest. Returns false without memory.
///
/// OpenSSL 3 looks digest and MAC up by their names in each call of its own HMAC, which takes twice
/// as long as this does for a token.
static inline bool hmac(const EVP_MD *digest,
                        const unsigned char *secret,
                        size_t secret_count,
                        const unsigned char *bytes,
                        size_t count,
                        unsigned char *code) {
    unsigned char block[64] = {0};
    bool is_made = true;
    if (secret_count > sizeof block) {
        is_made = EVP_Digest(secret, secret_count, block, NULL, digest, NULL) == 1;
    } else {
        memcpy(block, secret, secret_count);
    }
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    for (size_t index = 0; index < sizeof block; index++) block[index] ^= 0x36;
    is_made = is_made && context && EVP_DigestInit_ex2(context, digest, NULL) == 1 &&
              EVP_DigestUpdate(context, block, sizeof block) == 1 &&
              EVP_DigestUpdate(context, bytes, count) == 1 &&
              EVP_DigestFinal_ex(context, code, NULL) == 1;
    for (size_t index = 0; index < sizeof block; index++) block[index] ^= 0x36 ^ 0x5c;
    is_made = is_made && EVP_DigestInit_ex2(context, digest, NULL) == 1 &&
              EVP_DigestUpdate(context, block, sizeof block) == 1 &&
              EVP_DigestUpdate(context, code, (size_t)EVP_MD_get_size(digest)) == 1 &&
              EVP_DigestFinal_ex(context, code, NULL) == 1;
    EVP_MD_CTX_free(context);
    OPENSSL_cleanse(block, sizeof block);
    return is_made;
}

/// A key for ECDSA with the curve P-256: `point` is the public key's uncompressed point (65 bytes),
/// `secret` the private key (32 bytes) or NULL. NULL if they are none, or without memory.
static inline EVP_PKEY *p256_key(const unsigned char *point, const unsigned char *secret) {
    OSSL_PARAM parameters[4];
    int count = 0;
    parameters[count++] =
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"prime256v1", 0);
    parameters[count++] =
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, 65);
    // Parameters hold numbers in the machine's order of bytes.
    unsigned char native[32];
    if (secret) {
        BIGNUM *number = BN_bin2bn(secret, 32, NULL);
        if (!number || BN_bn2nativepad(number, native, 32) != 32) {
            BN_clear_free(number);
            return NULL;
        }
        BN_clear_free(number);
        parameters[count++] = OSSL_PARAM_construct_BN(OSSL_PKEY_PARAM_PRIV_KEY, native, 32);
    }
    parameters[count] = OSSL_PARAM_construct_end();
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    int kind = secret ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    if (context && EVP_PKEY_fromdata_init(context) == 1) {
        EVP_PKEY_fromdata(context, &key, kind, parameters);
    }
    EVP_PKEY_CTX_free(context);
    OPENSSL_cleanse(native, sizeof native);
    return key;
}

/// Encodes a signature of P-256, two numbers of 32 bytes as tokens have it, as OpenSSL wants it
/// (DER). Returns the number of bytes, at most 72; 0 without memory.
static inline int p256_signature_to_der(const unsigned char *raw, unsigned char *der) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, 32, NULL), *s = BN_bin2bn(raw + 32, 32, NULL);
    int count = 0;
    if (signature && r && s && ECDSA_SIG_set0(signature, r, s) == 1) {
        count = i2d_ECDSA_SIG(signature, &der);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(signature);
    return count;
}

/// The inverse of `p256_signature_to_der`; returns false if the bytes are no such signature.
static inline bool p256_signature_from_der(const unsigned char *der,
                                           size_t count,
                                           unsigned char *raw) {
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)count);
    if (!signature) return false;
    bool is_written = BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, 32) == 32 &&
                      BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    return is_written;
}

/// The coordinates of a P-256 key's point (32 bytes each) and its private number; false if it has
/// none.
static inline bool p256_numbers(EVP_PKEY *key,
                                unsigned char *x,
                                unsigned char *y,
                                unsigned char *secret) {
    BIGNUM *numbers[3] = {NULL, NULL, NULL};
    const char *names[3] = {OSSL_PKEY_PARAM_EC_PUB_X, OSSL_PKEY_PARAM_EC_PUB_Y,
                            OSSL_PKEY_PARAM_PRIV_KEY};
    unsigned char *targets[3] = {x, y, secret};
    bool is_written = true;
    for (int index = 0; index < 3; index++) {
        is_written = is_written &&
                     EVP_PKEY_get_bn_param(key, names[index], &numbers[index]) == 1 &&
                     BN_bn2binpad(numbers[index], targets[index], 32) == 32;
        BN_clear_free(numbers[index]);
    }
    return is_written;
}

/// Whether a key is one for ECDSA with the curve P-256.
static inline bool is_p256_key(EVP_PKEY *key) {
    char curve[32];
    return EVP_PKEY_is_a(key, "EC") == 1 &&
           EVP_PKEY_get_group_name(key, curve, sizeof curve, NULL) == 1 &&
           strcmp(curve, "prime256v1") == 0;
}

/// One step of the generator of RFC 6979, section 3.2: `code` becomes a code of what was the code
/// before, of a byte unless that is negative, and of the secret then.
static inline bool rfc6979_step(const EVP_MD *digest,
                                unsigned char *key,
                                unsigned char *code,
                                int byte,
                                const unsigned char *secret,
                                size_t count) {
    unsigned char text[32 + 1 + 64];
    size_t length = 32;
    memcpy(text, code, 32);
    if (byte >= 0) {
        text[length++] = (unsigned char)byte;
        if (count > 0) memcpy(text + length, secret, count);
        length += count;
    }
    bool is_made = (byte < 0 || hmac(digest, key, 32, text, length, key)) &&
                   hmac(digest, key, 32, text, 32, code);
    OPENSSL_cleanse(text, sizeof text);
    return is_made;
}

#pragma GCC diagnostic push
// OpenSSL 3.2 can do this itself; 3.0 has only what it calls deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/// Signs a digest of 32 bytes with the private number `x` and the number `k`, which must be secret
/// and of this signature alone; false if another `k` is needed.
static inline bool p256_sign_with(EVP_PKEY *key,
                                  const EC_GROUP *group,
                                  BIGNUM *k,
                                  const unsigned char *digest,
                                  unsigned char *raw) {
    bool is_signed = false;
    const BIGNUM *order = EC_GROUP_get0_order(group);
    BN_CTX *context = BN_CTX_secure_new();
    EC_POINT *point = EC_POINT_new(group);
    BIGNUM *r = BN_new(), *inverse = BN_secure_new();
    EC_KEY *own = EVP_PKEY_get1_EC_KEY(key);
    BN_set_flags(k, BN_FLG_CONSTTIME);
    if (context && point && r && inverse && own &&
        EC_POINT_mul(group, point, k, NULL, NULL, context) == 1 &&
        EC_POINT_get_affine_coordinates(group, point, r, NULL, context) == 1 &&
        BN_nnmod(r, r, order, context) == 1 && !BN_is_zero(r) &&
        BN_mod_inverse(inverse, k, order, context)) {
        ECDSA_SIG *signature = ECDSA_do_sign_ex(digest, 32, inverse, r, own);
        is_signed = signature &&
                    BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, 32) == 32 &&
                    BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + 32, 32) == 32 &&
                    ECDSA_do_verify(digest, 32, signature, own) == 1;
        ECDSA_SIG_free(signature);
    }
    EC_KEY_free(own);
    BN_clear_free(inverse);
    BN_free(r);
    EC_POINT_free(point);
    BN_CTX_free(context);
    return is_signed;
}

#pragma GCC diagnostic pop

/// Signs bytes with a key of P-256 and SHA-256, so that the same key and the same bytes always give
/// the same signature (64 bytes): the number that each signature needs is made from both (RFC 6979,
/// section 3.2), and not by chance. False if the key cannot sign.
static inline bool p256_sign_again(EVP_PKEY *key,
                                   const EVP_MD *algorithm,
                                   const unsigned char *bytes,
                                   size_t count,
                                   unsigned char *raw) {
    // The private number and the digest modulo the order of the curve, each of 32 bytes.
    unsigned char seed[64], hmac_key[32], code[32], digest[32];
    if (EVP_Digest(bytes, count, digest, NULL, algorithm, NULL) != 1) return false;
    memset(hmac_key, 0, sizeof hmac_key);
    memset(code, 1, sizeof code);
    bool is_signed = false;
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1);
    BIGNUM *x = NULL, *number = BN_bin2bn(digest, 32, NULL), *k = BN_secure_new();
    BN_CTX *context = BN_CTX_new();
    if (group && number && k && context &&
        EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &x) == 1 &&
        BN_nnmod(number, number, EC_GROUP_get0_order(group), context) == 1 &&
        BN_bn2binpad(x, seed, 32) == 32 && BN_bn2binpad(number, seed + 32, 32) == 32 &&
        rfc6979_step(algorithm, hmac_key, code, 0, seed, 64) &&
        rfc6979_step(algorithm, hmac_key, code, 1, seed, 64)) {
        // Nearly always the first number will do: the order is just below 2^256.
        for (int tries = 0; tries < 64 && !is_signed; tries++) {
            if (!rfc6979_step(algorithm, hmac_key, code, -1, NULL, 0)) break;
            if (!BN_bin2bn(code, 32, k)) break;
            is_signed = !BN_is_zero(k) && BN_cmp(k, EC_GROUP_get0_order(group)) < 0 &&
                        p256_sign_with(key, group, k, digest, raw);
            if (!is_signed && !rfc6979_step(algorithm, hmac_key, code, 0, NULL, 0)) break;
        }
    }
    BN_CTX_free(context);
    BN_clear_free(k);
    BN_free(number);
    BN_clear_free(x);
    EC_GROUP_free(group);
    OPENSSL_cleanse(seed, sizeof seed);
    OPENSSL_cleanse(hmac_key, sizeof hmac_key);
    OPENSSL_cleanse(code, sizeof code);
    return is_signed;
}

/// Whether the 32 bytes are a public key of Ed25519 (RFC 8032, section 5.1.3) by which signatures can
/// be trusted. OpenSSL takes any bytes, and of a point of small order it accepts one signature for
/// all messages.
///
/// A point (x, y) of the curve -x² + y² = 1 + d·x²·y² is written as y and one bit of x. There is an x
/// for a y if (y² - 1) / (d·y² + 1) is a square modulo p = 2^255 - 19, which it is if the product of
/// both is one. The points of small order have five values of y.
static inline bool ed25519_is_usable(const unsigned char *key) {
    unsigned char bytes[32];
    memcpy(bytes, key, sizeof bytes);
    bytes[31] &= 0x7f;
    BN_CTX *context = BN_CTX_new();
    if (!context) return false;
    BN_CTX_start(context);
    BIGNUM *p = BN_CTX_get(context), *d = BN_CTX_get(context), *y = BN_CTX_get(context);
    BIGNUM *square = BN_CTX_get(context), *above = BN_CTX_get(context);
    BIGNUM *below = BN_CTX_get(context), *small = BN_CTX_get(context);
    bool is_usable =
        small && BN_hex2bn(&p, "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffed") &&
        BN_hex2bn(&d, "52036cee2b6ffe738cc740797779e89800700a4d4141d8ab75eb4dca135978a3") &&
        BN_lebin2bn(bytes, sizeof bytes, y) && BN_cmp(y, p) < 0 &&
        BN_mod_sqr(square, y, p, context) == 1 && BN_copy(above, square) &&
        BN_sub_word(above, 1) == 1 && BN_mod_mul(below, d, square, p, context) == 1 &&
        BN_add_word(below, 1) == 1 && BN_mod_mul(square, above, below, p, context) == 1 &&
        BN_kronecker(square, p, context) == 1;
    // Those of the orders 4 and 8; for the orders 1 and 2, the product is 0.
    static const char *const orders[] = {
        "0",
        "05fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826",
        "7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7",
    };
    for (size_t index = 0; index < sizeof orders / sizeof *orders; index++) {
        is_usable = is_usable && BN_hex2bn(&small, orders[index]) && BN_cmp(y, small) != 0;
    }
    BN_CTX_end(context);
    BN_CTX_free(context);
    return is_usable;
}

/// A new key for Ed25519; NULL on failure.
static inline EVP_PKEY *new_ed25519_key(void) { return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519"); }
