package io.github.reloadrouter;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Publishes pushes to a router, over a connection that is restored when it is lost.
 *
 * <pre>{@code
 * try (Publisher publisher = Publisher.connect(
 *         PublisherOptions.of("router.example.com", "com.mygame", "shard-7").token(secret))) {
 *     publisher.push("{\"event\":\"healing-potion\",\"character\":\"elf-42\"}");
 *     publisher.flush(Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * <p>Pushes are pipelined: {@code push} returns as soon as the queue has capacity, {@code flush}
 * when the router has answered everything. After a lost connection, what the router has not
 * accepted is sent again under the same numbers; each push takes effect once. All methods may be
 * called from any thread.
 */
public final class Publisher implements AutoCloseable {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final RouterConnection connection;
    private final PushQueue queue;

    private Publisher(PublisherOptions options) {
        connection = new RouterConnection(options);
        queue = connection.queue;
    }

    /**
     * Makes a publisher, and returns when the router has accepted its first session; from then on it
     * stays connected by itself.
     *
     * @throws PublisherException if a certificate, a key or the outbox cannot be read, if the router
     *     refuses the publisher, or {@code not-connected} with the last reason if that takes longer
     *     than {@link PublisherOptions#connectLimit}, 10 s by default; the publisher is closed then
     */
    public static Publisher connect(PublisherOptions options) throws InterruptedException {
        Publisher publisher = start(options);
        try {
            publisher.connection.awaitSession(options.connectLimit);
            return publisher;
        } catch (Throwable e) {
            publisher.close();
            throw e;
        }
    }

    /**
     * Makes a publisher and returns at once; it connects in the background, as often as is needed.
     *
     * @throws PublisherException if a certificate, a key or the outbox cannot be read
     */
    public static Publisher start(PublisherOptions options) {
        Publisher publisher = new Publisher(options);
        publisher.connection.start();
        return publisher;
    }

    /**
     * Publishes a push; waits while the queue is full, and until the first session, which says how
     * pushes are numbered.
     *
     * @return the push's number, which a rejection of it names
     * @throws PublisherException if the push is too long, the outbox cannot be written, or the
     *     publisher has ended
     */
    public long push(Push push) throws InterruptedException {
        byte[] frame = Frames.encode(push);
        synchronized (connection) {
            connection.await(queue::hasRoom, FOREVER);
            return add(frame);
        }
    }

    /** Publishes a push of a JSON object as text; see {@link #push(Push)}. */
    public long push(String payload) throws InterruptedException {
        return push(Push.of(payload));
    }

    /**
     * Publishes a push as {@link #push(Push)} does, but never waits for the router.
     *
     * @return the push's number; empty if the queue is full or no session has begun yet
     */
    public OptionalLong tryPush(Push push) {
        byte[] frame = Frames.encode(push);
        synchronized (connection) {
            connection.check();
            return queue.hasRoom() ? OptionalLong.of(add(frame)) : OptionalLong.empty();
        }
    }

    /** Publishes a JSON object as text if there is capacity; see {@link #tryPush(Push)}. */
    public OptionalLong tryPush(String payload) { return tryPush(Push.of(payload)); }

    /**
     * Waits until the router has answered every push published so far, and the listener has been
     * called with each rejection.
     *
     * @return false if that takes longer than the time, or the publisher ends before
     */
    public boolean flush(Duration timeout) throws InterruptedException {
        synchronized (connection) {
            long last = queue.last();
            connection.await(() -> queue.settled() >= last && queue.events.isEmpty(), timeout);
            return queue.settled() >= last;
        }
    }

    /** Returns the counters. */
    public PublisherStatistics statistics() {
        synchronized (connection) {
            return queue.statistics();
        }
    }

    /**
     * Ends the session at once. Pushes that were not flushed may be lost, unless there is an
     * outbox. Closing twice does nothing.
     */
    @Override
    public void close() {
        connection.close();
        synchronized (connection) { // After an interrupt, the reader may still settle pushes.
            try {
                queue.outbox.close();
            } catch (IOException e) {
                // The pushes in the file are only sent again, under the same numbers.
            }
        }
    }

    private long add(byte[] frame) {
        connection.check();
        long seq = queue.add(frame);
        connection.wake();
        return seq;
    }
}
