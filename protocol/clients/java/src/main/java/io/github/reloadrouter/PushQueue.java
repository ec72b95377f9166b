package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The pushes that the router has not answered, by their numbers, and what it has said of others. The
 * connection's lock guards it, except for the events.
 */
final class PushQueue {
    /** What has happened, for the listener. */
    final Queue<PublisherEvent> events = new ConcurrentLinkedQueue<>();
    final Outbox outbox;

    private final PublisherOptions options;
    private final TreeMap<Long, Frame> pushes = new TreeMap<>();
    private long next = 1;
    private long byteCount;
    /** The newest push that was sent over this connection, and how many of those have no answer. */
    private long lastSent, inFlight;
    private long window, maxBody = 65_536;
    /** The last push of which the router knows, by what it has said, and what HELLO has said of it. */
    private long known, acked;

    private long sessions, sent, acknowledged, rejected, matched;

    /** Makes a queue of what the outbox has. */
    PushQueue(PublisherOptions options) throws IOException {
        this.options = options;
        outbox = new Outbox(options, this::append);
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
                && outbox.size < options.outboxBytes;
    }

    PublisherStatistics statistics() {
        long reconnects = Math.max(0, sessions - 1);
        return new PublisherStatistics(pushes.size(), sent, acknowledged, rejected, matched, reconnects);
    }

    /** Accepts a push, and returns the number that it gets. */
    long add(Frame push) {
        int bytes = push.body().length;
        if (bytes > maxBody) {
            String sentence = "the push has " + bytes + " bytes; the router takes " + maxBody;
            throw new PublisherException("frame-length", sentence, null);
        }
        Frame numbered = push.withSeq(next);
        try {
            outbox.append(numbered);
        } catch (IOException e) {
            throw new PublisherException("outbox", "the outbox: " + e.getMessage(), e);
        }
        append(numbered);
        return last();
    }

    private void append(Frame push) {
        pushes.put(push.seq(), push);
        byteCount += push.size();
        next = Math.max(next, push.seq() + 1);
    }

    /**
     * Begins a connection, over which all is sent again; returns its HELLO. This says up to which number it is known
     * what became of the pushes: 0 at first, so that the router lists what an earlier run had rejected.
     */
    Frame hello() {
        lastSent = 0;
        inFlight = 0;
        acked = hasSession() || !pushes.isEmpty() ? Math.min(settled(), known) : 0;
        String token = options.token == null ? "" : ",\"token\":" + Json.write(options.token);
        return Frame.hello(options, token + ",\"outcomes\":" + options.wantsOutcomes + ",\"acked\":" + acked);
    }

    /**
     * Begins a session: settles what the router has, which it may have rejected. No number of an earlier run's
     * push is used again: a rejected one would be listed again after a cut.
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
        for (Frame push : List.copyOf(pushes.values())) { // An operator may have lowered the limit.
            if (push.body().length > maxBody) {
                reject(push.seq(), "frame-length", "the router takes " + maxBody + " bytes");
            }
        }
    }

    /** Writes the next frames that were not sent to a buffer, as many as the window lets through. */
    void take(ByteArrayOutputStream to, int mostBytes) {
        for (Frame push : pushes.tailMap(lastSent, false).values()) {
            if (inFlight >= window || to.size() >= mostBytes) {
                return;
            }
            to.writeBytes(push.bytes());
            lastSent = push.seq();
            inFlight++;
            sent++;
        }
    }

    /** Settles what the router has acknowledged, up to a push, or the one that it has refused. */
    void answered(Frame answer) throws IOException {
        long seq = answer.seq();
        if (seq > lastSent) {
            throw new IOException("the router answers push " + seq + ", which was not sent");
        }
        known = Math.max(known, seq);
        if (answer.type() == Frame.ACK) {
            matched += answer.count();
            settle(seq);
        } else {
            Map<String, Object> refusal = answer.object();
            reject(seq, Json.text(refusal, "code"), Json.text(refusal, "message"));
        }
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
        Frame push = pushes.remove(seq);
        if (push == null) {
            return false;
        }
        byteCount -= push.size();
        inFlight -= seq <= lastSent ? 1 : 0;
        if (pushes.isEmpty()) {
            outbox.empty();
        }
        return true;
    }
}
