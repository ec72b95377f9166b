package io.github.reloadrouter;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;

/** Where a publisher connects to, as whom, and its limits. All but the names have defaults. */
public final class PublisherOptions {
    final String host;
    final String app;
    final String producer;
    int port = 7410;
    String token;
    boolean isPlain;
    Path authority;
    Path certificate;
    Path key;
    SSLContext context;
    Path outbox;
    int queuedPushes = 8_192;
    long queuedBytes = 16 << 20;
    long outboxBytes = 256 << 20;
    Duration attemptTimeout = Duration.ofSeconds(10);
    Duration pingAfter = Duration.ofSeconds(15);
    Duration lostAfter = Duration.ofSeconds(45);
    Duration firstPause = Duration.ofMillis(100);
    Duration longestPause = Duration.ofSeconds(5);
    Consumer<PublisherEvent> listener = event -> {};

    private PublisherOptions(String host, String app, String producer) {
        this.host = Objects.requireNonNull(host, "host");
        this.app = Objects.requireNonNull(app, "app");
        this.producer = Objects.requireNonNull(producer, "producer");
    }

    /**
     * Returns options with their defaults: TLS, port 7410, the authorities of the system, no token,
     * no outbox.
     *
     * @param host a name or an address of the router
     * @param app the app that the pushes are for
     * @param producer the stable name of this stream of pushes; only one publisher may use it
     */
    public static PublisherOptions of(String host, String app, String producer) {
        return new PublisherOptions(host, app, producer);
    }

    /** Sets another port than 7410. */
    public PublisherOptions port(int value) {
        port = value;
        return this;
    }

    /** Sets the token that lets the publisher in. */
    public PublisherOptions token(String value) {
        token = value;
        return this;
    }

    /** Asks for plain TCP, without TLS: for tests, and for a router on the same machine. */
    public PublisherOptions plain() {
        isPlain = true;
        return this;
    }

    /** Trusts the authorities of a PEM file, in place of those of the system. */
    public PublisherOptions authority(Path pem) {
        authority = pem;
        return this;
    }

    /** Shows a certificate, with its chain and its key (PKCS #8), from PEM files. */
    public PublisherOptions certificate(Path chainPem, Path keyPem) {
        certificate = Objects.requireNonNull(chainPem, "chainPem");
        key = Objects.requireNonNull(keyPem, "keyPem");
        return this;
    }

    /** Sets a whole context of TLS, in place of {@code authority} and {@code certificate}. */
    public PublisherOptions tls(SSLContext value) {
        context = value;
        return this;
    }

    /** Keeps pushes in a file until they are settled, so that a crash of the sender loses none. */
    public PublisherOptions outbox(Path file) {
        outbox = file;
        return this;
    }

    /** Sets the length of the outbox from which on it accepts no push until it has been emptied. */
    public PublisherOptions outboxBytes(long most) {
        outboxBytes = positive(most);
        return this;
    }

    /** Limits the pushes without an answer. Beyond: {@code push} waits. */
    public PublisherOptions queuedPushes(int most) {
        queuedPushes = (int) positive(most);
        return this;
    }

    /** Limits the bytes of the pushes without an answer. Beyond: {@code push} waits. */
    public PublisherOptions queuedBytes(long most) {
        queuedBytes = Math.min(positive(most), 256 << 20);
        return this;
    }

    /** Sets how long connecting may take, for each address, and then the router's WELCOME. */
    public PublisherOptions attemptTimeout(Duration value) {
        attemptTimeout = positive(value);
        return this;
    }

    /** Sets the silence after which PING is sent, and that after which the connection is lost. */
    public PublisherOptions silence(Duration ping, Duration lost) {
        pingAfter = positive(ping);
        lostAfter = positive(lost);
        return this;
    }

    /** Sets the pauses before reconnects: each is a random time from half of it to all of it. */
    public PublisherOptions pauses(Duration first, Duration longest) {
        firstPause = positive(first);
        longestPause = positive(longest);
        return this;
    }

    /**
     * Sets what is called with each event, on the publisher's own thread. It must return soon, and
     * must not call {@code push} or {@code flush}; {@code tryPush} and {@code close} are allowed.
     */
    public PublisherOptions onEvent(Consumer<PublisherEvent> value) {
        listener = Objects.requireNonNull(value, "listener");
        return this;
    }

    private static Duration positive(Duration value) {
        positive(value.toMillis());
        return value;
    }

    private static long positive(long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(value + " is not positive");
        }
        return value;
    }
}
