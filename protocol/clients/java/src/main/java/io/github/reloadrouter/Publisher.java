package io.github.reloadrouter;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Publishes pushes to a router, over a connection that is restored when it is lost: what the router has not
 * accepted is then sent again under the same numbers, so that each push takes effect once. All methods may be
 * called from any thread.
 */
public final class Publisher implements AutoCloseable {
    /** The lock, too: not this object, which others may lock while they call {@link #close}. */
    private final RouterConnection connection;
    private final PushQueue queue;

    private Publisher(PublisherOptions options) {
        connection = new RouterConnection(options);
        queue = connection.queue;
    }

    /**
     * Makes a publisher, and returns when the router has accepted its first session.
     *
     * @throws PublisherException if a certificate, a key or the outbox cannot be read, if the router refuses the
     *     publisher, or {@code not-connected} with the last reason if that takes longer than {@link
     *     PublisherOptions#connectLimit}; the publisher is closed then
     */
    public static Publisher connect(PublisherOptions options) throws InterruptedException {
        Publisher publisher = start(options);
        try {
            publisher.connection.awaitSession();
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
        publisher.connection.reader.start();
        publisher.connection.writer.start();
        return publisher;
    }

    /**
     * Publishes a push; waits while the queue is full, and until the first session, which says how pushes are numbered.
     *
     * @return the push's number, which a rejection of it names
     * @throws PublisherException if the push is too long, the outbox cannot be written, or the publisher has ended
     */
    public long push(Push push) throws InterruptedException {
        Frame frame = Frame.of(push);
        synchronized (connection) {
            connection.await(queue::hasRoom, RouterConnection.FOREVER);
            return add(frame);
        }
    }

    /** Publishes a push of a JSON object as text; see {@link #push(Push)}. */
    public long push(String payload) throws InterruptedException { return push(Push.of(payload)); }

    /**
     * Publishes a push as {@link #push(Push)} does, but never waits for the router.
     *
     * @return the push's number; empty if the queue is full or no session has begun yet
     */
    public OptionalLong tryPush(Push push) {
        Frame frame = Frame.of(push);
        synchronized (connection) {
            connection.check();
            return queue.hasRoom() ? OptionalLong.of(add(frame)) : OptionalLong.empty();
        }
    }

    /** Publishes a JSON object as text if there is capacity; see {@link #tryPush(Push)}. */
    public OptionalLong tryPush(String payload) { return tryPush(Push.of(payload)); }

    private long add(Frame frame) {
        connection.check();
        long seq = queue.add(frame);
        connection.notifyAll(); // The writer sends it.
        return seq;
    }

    /**
     * Waits until the router has answered every push so far, and the listener has been called with each rejection.
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

    /**
     * Asks over HTTP ({@link PublisherOptions#httpAddress}) what has become of a push so far, for 64 of the widgets that it
     * matches. The session need not be open.
     *
     * @param after the position after which the page begins: {@code next} of the page before; empty for the first one
     * @return the members of {@code protocol/http.md}, section 3, as maps, lists, texts, numbers and null
     * @throws PublisherException with the code {@code push-unknown} if no such push was accepted, {@code push-forgotten} if
     *     the router does not keep it any more, or no code if there is no answer
     */
    public Map<String, Object> history(long seq, OptionalLong after) throws InterruptedException {
        return History.ask(connection.options, connection.context, seq, after);
    }

    /** Returns the counters. */
    public PublisherStatistics statistics() {
        synchronized (connection) {
            return queue.statistics();
        }
    }

    /** Ends the session at once. Pushes that were not flushed may be lost, unless there is an outbox. */
    @Override
    public void close() {
        connection.end(new PublisherException("closed", "the publisher is closed", null));
        try {
            if (Thread.currentThread() != connection.reader) { // Else it is the listener that closes.
                connection.reader.join();
                connection.writer.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // They end by themselves.
        }
        synchronized (connection) { // The reader may still settle pushes.
            try {
                queue.outbox.close();
            } catch (IOException e) {
                // The pushes in the file are only sent again, under the same numbers.
            }
        }
    }
}
