using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;

namespace ReloadRouter.Client {
    /// <summary>
    /// The pushes that the router has not answered, and what it has said of others. It is not safe for
    /// several threads: the connection is the lock. The frames lie side by side in one array, by their
    /// numbers, so that a push needs no memory of its own:
    /// <code>
    ///   free | sent, unanswered | not sent | free
    ///       head              unsent      tail
    /// </code>
    /// </summary>
    internal sealed class PushQueue {
        private readonly PublisherOptions options;
        private byte[] bytes = new byte[1 << 16];
        private int head, unsent, tail;
        private int count, inFlight;
        private long next = 1, lastSent;
        private long window, maxBody = 65536;

        /// <summary>The last push of which the router knows, by its answers, and what HELLO has said of it.</summary>
        private long known, acked;
        private long sessions;
        private PublisherStatistics counts = new PublisherStatistics();

        /// <summary>Makes a queue of what the outbox has.</summary>
        public PushQueue(PublisherOptions options) {
            this.options = options;
            Outbox = new Outbox(options.Outbox, options.App, options.Producer, Load);
            known = Settled;
        }

        public Outbox Outbox { get; }

        /// <summary>What has happened, for <c>OnEvent</c>.</summary>
        public ConcurrentQueue<PublisherEvent> Events { get; } = new ConcurrentQueue<PublisherEvent>();

        /// <summary>All pushes up to this number are settled.</summary>
        public long Settled => count == 0 ? Last : Frames.Seq(bytes, head) - 1;

        /// <summary>The number of the newest push.</summary>
        public long Last => next - 1;

        public bool HasSession => sessions > 0;

        public bool HasRoom => HasSession && count < options.QueuedPushes && tail - head < options.QueuedBytes
            && Outbox.Size < options.OutboxBytes;

        public PublisherStatistics Statistics {
            get {
                counts.Queued = count;
                counts.Reconnects = Math.Max(0, sessions - 1);
                return counts;
            }
        }

        /// <summary>Accepts a push, a text or else bytes, and returns the number that it gets.</summary>
        public long Add(string text, ArraySegment<byte> payload, PushSettings settings) {
            int length = text == null ? payload.Count : Encoding.UTF8.GetByteCount(text);
            Reserve(Frames.MostBeforePayload(settings) + (int)Math.Min(length, maxBody));
            int offset = Frames.PutPush(bytes, tail, next, settings, length);
            long body = offset - tail - Frames.HeaderBytes + (long)length;
            if (body > maxBody) {
                throw new PublisherException(
                    "frame-length", "the push has " + body + " bytes; the router takes " + maxBody);
            }
            if (text == null) {
                Buffer.BlockCopy(payload.Array, payload.Offset, bytes, offset, length);
            } else {
                Encoding.UTF8.GetBytes(text, 0, text.Length, bytes, offset);
            }
            int frame = Frames.HeaderBytes + (int)body;
            Outbox.Append(bytes, tail, frame);
            return Appended(frame);
        }

        private void Load(byte[] frame, int length) {
            Reserve(length);
            Buffer.BlockCopy(frame, 0, bytes, tail, length);
            Appended(length);
        }

        /// <summary>Counts in the frame at the tail, and returns its number.</summary>
        private long Appended(int frame) {
            long seq = Frames.Seq(bytes, tail);
            next = seq + 1;
            tail += frame;
            count++;
            return seq;
        }

        /// <summary>Makes room at the tail: moves the frames to the front, of a larger array if needed.</summary>
        private void Reserve(int length) {
            if (bytes.Length - tail >= length) {
                return;
            }
            long size = bytes.Length;
            while (size < 2L * (tail - head + length)) {
                size *= 2;
            }
            byte[] target = size > bytes.Length ? new byte[size] : bytes;
            Buffer.BlockCopy(bytes, head, target, 0, tail - head);
            bytes = target;
            unsent -= head;
            tail -= head;
            head = 0;
        }

        /// <summary>Nothing more will be heard of what was sent: the next connection sends it again.</summary>
        public void Rewind() {
            unsent = head;
            inFlight = 0;
            lastSent = 0;
        }

        /// <summary>
        /// The number for HELLO up to which it is known what became of the pushes. It is 0 at first, so
        /// that the router lists what an earlier run had rejected.
        /// </summary>
        public long TakeAcked() => acked = HasSession || count > 0 ? Math.Min(Settled, known) : 0;

        /// <summary>
        /// Begins a session: settles what the router has, which it may have rejected. No number of an
        /// earlier run's push is used again: a rejected one would be listed again after a cut.
        /// </summary>
        public void Welcomed(Dictionary<string, object> welcome) {
            long lastSeq = Json.Number(welcome, "lastSeq", 0);
            long behind = Json.Number(welcome, "behind", 0);
            window = Math.Max(1, Json.Number(welcome, "window", 1));
            maxBody = Json.Number(welcome, "maxBody", maxBody);
            sessions++;
            Events.Enqueue(new PublisherEvent(PublisherEventKind.Connected) { Seq = lastSeq });
            if (behind > 0 && behind <= acked) {
                known = acked - behind;
                Events.Enqueue(new PublisherEvent(PublisherEventKind.Lost) { Seq = known + 1, Through = acked });
            }
            long last = lastSeq;
            welcome.TryGetValue("rejected", out object list);
            foreach (var push in (list as List<object> ?? new List<object>()).OfType<Dictionary<string, object>>()) {
                long seq = Json.Number(push, "seq", 0);
                Reject(seq, Json.Text(push, "code"), "refused; the sentence was lost with a connection");
                last = Math.Max(last, seq);
            }
            known = Math.Max(known, last);
            Settle(lastSeq);
            next = Math.Max(next, last + 1);
            for (int at = head, length; at < tail; at += length) {
                length = Frames.Length(bytes, at);
                if (length - Frames.HeaderBytes > maxBody) { // An operator may have lowered the limit.
                    Reject(Frames.Seq(bytes, at), "frame-length", "the router takes " + maxBody + " bytes");
                }
            }
        }

        /// <summary>Writes the next unsent frames to a buffer, as many as the window lets through.</summary>
        public void Take(MemoryStream batch, int most) {
            int end = unsent;
            while (end < tail && inFlight < window && batch.Length + end - unsent < most) {
                lastSent = Frames.Seq(bytes, end);
                end += Frames.Length(bytes, end);
                inFlight++;
                counts.Sent++;
            }
            batch.Write(bytes, unsent, end - unsent);
            unsent = end;
        }

        /// <summary>Settles the pushes up to one that the router has acknowledged.</summary>
        public void Acknowledged(long seq, long widgets) {
            CheckSent(seq);
            counts.Matched += widgets;
            Settle(seq);
        }

        /// <summary>Settles a push that the router has refused.</summary>
        public void Refused(long seq, Dictionary<string, object> body) {
            CheckSent(seq);
            Reject(seq, Json.Text(body, "code"), Json.Text(body, "message"));
        }

        private void CheckSent(long seq) {
            if (seq > lastSent) {
                throw new IOException("the router answers push " + seq + ", which was not sent");
            }
            known = Math.Max(known, seq);
        }

        private void Settle(long seq) {
            while (count > 0 && Frames.Seq(bytes, head) <= seq) {
                Remove(head);
                counts.Acknowledged++;
            }
        }

        private void Reject(long seq, string code, string message) {
            int at = head;
            while (at < tail && Frames.Seq(bytes, at) < seq) {
                at += Frames.Length(bytes, at);
            }
            if (at < tail && Frames.Seq(bytes, at) == seq) {
                Remove(at);
                counts.Rejected++;
                Events.Enqueue(
                    new PublisherEvent(PublisherEventKind.Rejected) { Seq = seq, Code = code, Message = message });
            }
        }

        /// <summary>Removes a frame. Those before it move up: they are few, as the router answers in order.</summary>
        private void Remove(int at) {
            int length = Frames.Length(bytes, at);
            Buffer.BlockCopy(bytes, head, bytes, head + length, at - head);
            inFlight -= at < unsent ? 1 : 0;
            unsent += at < unsent ? 0 : length;
            head += length;
            count--;
            if (count == 0) {
                head = unsent = tail = 0;
                Outbox.Empty();
            }
        }
    }
}
