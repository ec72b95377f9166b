package io.github.reloadrouter;

import java.util.Map;

/** What a publisher reports when it happens. */
public sealed interface PublisherEvent {
    /**
     * The router has accepted a session.
     *
     * @param lastSeq the number of the producer's last push that the router has accepted
     */
    record Connected(long lastSeq) implements PublisherEvent {}

    /**
     * A connection, or an attempt to make one, has ended.
     *
     * @param code the code of the router's ERROR; null if there was none
     * @param retry {@code reconnect}, {@code later} (after the longest pause), or {@code no}: then
     *     {@link Failed} follows
     * @param message the reason, for people
     */
    record Disconnected(String code, String retry, String message) implements PublisherEvent {}

    /**
     * The router has refused one push; the session continues.
     *
     * @param seq the number that {@code push} returned
     * @param code the stable code, such as {@code payload-not-json}
     * @param message what was wrong, for people
     */
    record Rejected(long seq, String code, String message) implements PublisherEvent {}

    /**
     * The router has lost pushes that it had answered, because its store was replaced by an older
     * one. The publisher does not have them any more, either.
     *
     * @param from the number of the first
     * @param through the number of the last
     */
    record Lost(long from, long through) implements PublisherEvent {}

    /**
     * What became of a push, if {@link PublisherOptions#outcomes} has asked for it.
     *
     * @param seq the number that {@code push} returned; 0 about the app
     * @param body the body of OUTCOME, as maps, lists, texts, numbers and booleans
     */
    record Outcome(long seq, Map<String, Object> body) implements PublisherEvent {}

    /**
     * The publisher has ended and will not connect again.
     *
     * @param code why: a code of the router, or {@code outbox}
     * @param message the reason, for people
     */
    record Failed(String code, String message) implements PublisherEvent {}
}
