package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pushes that the router has not answered, as frames by their numbers, and what it has said of
 * others. It is not safe for several threads: the connection has a lock.
 */
final class PushQueue {
    /** What has happened, for the listener. */
    final List<PublisherEvent> events = new ArrayList<>();
    final Outbox outbox;

    private final PublisherOptions options;
    private final TreeMap<Long, byte[]> pushes = new TreeMap<>();
    private long next = 1;
    private long byteCount;
    /** The newest push that was sent over this connection, and how many of those have no answer. */
    private long lastSent;
    private int inFlight;
    private long window;
    private long maxBody = 65_536;
    /** The last push of which the router knows, by what it has said, and what HELLO has said of it. */
    private long known, acked;

    private long sessions, sent, acknowledged, rejected, matched;

    /** Makes a queue of what the outbox has. */
    PushQueue(PublisherOptions options) throws IOException {
        this.options = options;
        outbox = new Outbox(options.outbox, options.app, options.producer, this::append);
        known = settled();
    }

    /** All pushes up to this number are settled. */
    long settled() { return (pushes.isEmpty() ? next : pushes.firstKey()) - 1; }

    /** The number of the newest push. */
    long last() { return next - 1; }

    boolean hasSession() { return sessions > 0; }

    boolean hasRoom() {
        return hasSession()
                && pushes.size() < options.queuedPushes
                && byteCount < options.queuedBytes
                && outbox.size() < options.outboxBytes;
    }

    PublisherStatistics statistics() {
        return new PublisherStatistics(
                pushes.size(), sent, acknowledged, rejected, matched, Math.max(0, sessions - 1));
    }

    /** Accepts a push, and returns the number that it gets. */
    long add(byte[] frame) {
        int body = frame.length - Frames.HEADER_BYTES;
        if (body > maxBody) {
            String sentence = "the push has " + body + " bytes; the router takes " + maxBody;
            throw new PublisherException("frame-length", sentence, null);
        }
        ByteBuffer.wrap(frame).putLong(8, next);
        try {
            outbox.append(frame);
        } catch (IOException e) {
            throw new PublisherException("outbox", "the outbox: " + e.getMessage(), e);
        }
        append(frame);
        return last();
    }

    private void append(byte[] frame) {
        pushes.put(Frames.seq(frame), frame);
        byteCount += frame.length;
        next = Math.max(next, Frames.seq(frame) + 1);
    }

    /** Nothing more will be heard of what was sent: the next connection sends it again. */
    void rewind() {
        lastSent = 0;
        inFlight = 0;
    }

    /**
     * The number for HELLO up to which it is known what became of the pushes. It is 0 at first, so
     * that the router lists what an earlier run had rejected.
     */
    long acked() {
        acked = hasSession() || !pushes.isEmpty() ? Math.min(settled(), known) : 0;
        return acked;
    }

    /**
     * Begins a session: settles what the router has, which it may have rejected. No number of an
     * earlier run's push is used again: a rejected one would be listed again after a cut.
     */
    void welcomed(Map<?, ?> welcome) throws IOException {
        long lastSeq = Json.number(welcome, "lastSeq", 0);
        long behind = Json.number(welcome, "behind", 0);
        window = Math.max(1, Json.number(welcome, "window", 1));
        maxBody = Json.number(welcome, "maxBody", maxBody);
        sessions++;
        events.add(new PublisherEvent.Connected(lastSeq));
        if (behind > 0 && behind <= acked) {
            known = acked - behind;
            events.add(new PublisherEvent.Lost(known + 1, acked));
        }
        long last = lastSeq;
        for (Object element : welcome.get("rejected") instanceof List<?> list ? list : List.of()) {
            if (element instanceof Map<?, ?> push) {
                long seq = Json.number(push, "seq", 0);
                reject(seq, Json.text(push, "code"), "refused; the sentence was lost with a connection");
                last = Math.max(last, seq);
            }
        }
        known = Math.max(known, last);
        settle(lastSeq);
        next = Math.max(next, last + 1);
        for (byte[] frame : List.copyOf(pushes.values())) { // An operator may have lowered the limit.
            if (frame.length - Frames.HEADER_BYTES > maxBody) {
                reject(Frames.seq(frame), "frame-length", "the router takes " + maxBody + " bytes");
            }
        }
    }

    /** Writes the next frames that were not sent to a buffer, as many as the window lets through. */
    void take(ByteArrayOutputStream to, int mostBytes) {
        for (Map.Entry<Long, byte[]> push : pushes.tailMap(lastSent, false).entrySet()) {
            if (inFlight >= window || to.size() >= mostBytes) {
                return;
            }
            to.writeBytes(push.getValue());
            lastSent = push.getKey();
            inFlight++;
            sent++;
        }
    }

    /** Settles the pushes up to one that the router has acknowledged. */
    void acknowledged(long seq, long widgets) throws IOException {
        checkSent(seq);
        matched += widgets;
        settle(seq);
    }

    /** Settles a push that the router has refused. */
    void refused(long seq, Map<?, ?> body) throws IOException {
        checkSent(seq);
        reject(seq, Json.text(body, "code"), Json.text(body, "message"));
    }

    private void checkSent(long seq) throws IOException {
        if (seq > lastSent) {
            throw new IOException("the router answers push " + seq + ", which was not sent");
        }
        known = Math.max(known, seq);
    }

    private void settle(long seq) throws IOException {
        while (settled() < seq && remove(settled() + 1)) {
            acknowledged++;
        }
    }

    private void reject(long seq, String code, String message) throws IOException {
        if (remove(seq)) {
            rejected++;
            events.add(new PublisherEvent.Rejected(seq, code, message));
        }
    }

    /** Settles a push; false if it is settled already, or never was one. */
    private boolean remove(long seq) throws IOException {
        byte[] frame = pushes.remove(seq);
        if (frame == null) {
            return false;
        }
        byteCount -= frame.length;
        inFlight -= seq <= lastSent ? 1 : 0;
        if (pushes.isEmpty()) {
            outbox.empty();
        }
        return true;
    }
}
