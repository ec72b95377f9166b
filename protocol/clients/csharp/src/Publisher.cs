using System;
using System.Collections.Generic;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ReloadRouter.Client
{
    /// <summary>
    /// Publishes pushes to a router, over a connection that is restored when it is lost.
    /// <code>
    /// var options = new PublisherOptions("router.example.com", "com.mygame", "shard-7") { Token = secret };
    /// using (Publisher publisher = Publisher.Connect(options))
    /// {
    ///     publisher.Push("{\"event\":\"healing-potion\",\"character\":\"elf-42\"}");
    ///     publisher.Flush(TimeSpan.FromSeconds(10));
    /// }
    /// </code>
    /// Pushes are pipelined: <c>Push</c> returns as soon as the queue has capacity, <c>Flush</c> when
    /// the router has answered everything. After a lost connection, what the router has not accepted
    /// is sent again under the same numbers; each push takes effect once. All methods may be called
    /// from any thread; <c>TryPush</c> is for the main thread of a game.
    /// </summary>
    public sealed class Publisher : IDisposable
    {
        /// <summary>How much of the outbox is kept although all of it is settled, between two ticks.</summary>
        private const long KeptOutboxBytes = 1 << 20;

        private readonly PublisherOptions options;
        private readonly RouterConnection connection;
        private readonly object gate = new object();

        // What follows is guarded by the gate.
        private readonly List<PublisherEvent> events = new List<PublisherEvent>();
        private readonly Outbox outbox;
        private bool isDelivering;
        private bool isNumbered;

        /// <summary>The last push of which the router knows, by what it has said.</summary>
        private long known;

        /// <summary>What the last HELLO has said of it.</summary>
        private long acked;
        private PublisherException end;
        private long maxBody = 65536;
        private TaskCompletionSource<bool> progress;
        private int waiters;
        private long sent;
        private long acknowledged;
        private long rejected;
        private long matched;
        private long sessions;

        /// <summary>Why the last connection, or attempt, has ended; null after WELCOME.</summary>
        private string loss;

        /// <summary>What is to be written, because there is no <c>OnEvent</c>.</summary>
        private string warning;

        private Publisher(PublisherOptions options)
        {
            this.options = options;
            connection = new RouterConnection(options, this, gate);
            try
            {
                if (options.Outbox != null)
                {
                    outbox = new Outbox(options.Outbox, options.App, options.Producer, Queue);
                    isNumbered = !outbox.IsNew;
                    known = Queue.Settled;
                }
            }
            catch (Exception e) when (e is IOException || e is UnauthorizedAccessException)
            {
                throw new PublisherException("outbox", "the outbox: " + e.Message, e);
            }
        }

        /// <summary>
        /// Makes a publisher, and returns when the router has accepted its first session; from then on it
        /// stays connected by itself. Not for the main thread of a game: see <c>Start</c>.
        /// </summary>
        /// <exception cref="PublisherException">The outbox cannot be read, the router refuses the publisher,
        /// or <c>not-connected</c> with the last reason after the options' <c>ConnectLimit</c>; the publisher is
        /// closed then.</exception>
        public static Publisher Connect(PublisherOptions options)
        {
            return ConnectAsync(options).GetAwaiter().GetResult();
        }

        /// <summary>The same as a task.</summary>
        public static async Task<Publisher> ConnectAsync(PublisherOptions options)
        {
            Publisher publisher = Start(options);
            try
            {
                await publisher.FirstSession().ConfigureAwait(false);
            }
            catch
            {
                publisher.Dispose();
                throw;
            }
            return publisher;
        }

        /// <summary>
        /// Makes a publisher and returns at once; it connects in the background, as often as is needed.
        /// </summary>
        /// <exception cref="PublisherException">The outbox cannot be read.</exception>
        public static Publisher Start(PublisherOptions options)
        {
            var publisher = new Publisher(options.Checked());
            publisher.connection.Start();
            return publisher;
        }

        /// <summary>
        /// Publishes a JSON object, which the router checks. Waits while the queue is full, and until
        /// the first session, which says how pushes are numbered.
        /// </summary>
        /// <returns>The push's number, which a rejection of it names.</returns>
        /// <exception cref="PublisherException">The push is too long, the outbox cannot be written, or
        /// the publisher has ended.</exception>
        public long Push(string payload, PushSettings settings = default(PushSettings))
            => Push(new Payload(payload), settings);

        /// <summary>Publishes a JSON object in UTF-8; otherwise the same.</summary>
        public long Push(ArraySegment<byte> payload, PushSettings settings = default(PushSettings))
            => Push(new Payload(payload), settings);

        /// <summary>Publishes a JSON object; the task waits as <c>Push</c> does.</summary>
        public ValueTask<long> PushAsync(string payload, PushSettings settings = default(PushSettings))
        {
            return TryPush(payload, out long seq, settings)
                ? new ValueTask<long>(seq) : new ValueTask<long>(PushLater(new Payload(payload), settings));
        }

        /// <summary>
        /// Publishes a JSON object if there is capacity now. It never waits for the router, and needs
        /// no memory of the managed heap except when the queue grows.
        /// </summary>
        /// <returns>False if the queue is full or no session has begun yet.</returns>
        /// <exception cref="PublisherException">The push is too long, the outbox cannot be written, or
        /// the publisher has ended.</exception>
        public bool TryPush(string payload, out long seq, PushSettings settings = default(PushSettings))
            => TryPush(new Payload(payload), out seq, settings);

        /// <summary>Publishes a JSON object in UTF-8 if there is capacity now; otherwise the same.</summary>
        public bool TryPush(ArraySegment<byte> payload, out long seq, PushSettings settings = default(PushSettings))
            => TryPush(new Payload(payload), out seq, settings);

        /// <summary>
        /// Waits until the router has answered every push published so far, and <c>OnEvent</c> has
        /// been called with each rejection.
        /// </summary>
        /// <returns>False if that takes longer than the time, or the publisher ends before.</returns>
        public bool Flush(TimeSpan timeout)
        {
            long deadline = RouterConnection.Now + (long)timeout.TotalMilliseconds;
            lock (gate)
            {
                long target = Queue.Next - 1;
                while (!IsFlushed(target))
                {
                    long left = deadline - RouterConnection.Now;
                    if (end != null || left <= 0)
                    {
                        return Queue.Settled >= target;
                    }
                    Wait((int)Math.Min(left, int.MaxValue));
                }
                return true;
            }
        }

        /// <summary>The same as a task.</summary>
        public async Task<bool> FlushAsync(TimeSpan timeout)
        {
            Task late = Task.Delay(timeout);
            long target = -1;
            while (true)
            {
                Task change;
                lock (gate)
                {
                    target = target < 0 ? Queue.Next - 1 : target;
                    if (IsFlushed(target))
                    {
                        return true;
                    }
                    if (end != null || late.IsCompleted)
                    {
                        return Queue.Settled >= target;
                    }
                    change = NextProgress();
                }
                await Task.WhenAny(change, late).ConfigureAwait(false);
            }
        }

        /// <summary>The counters.</summary>
        public PublisherStatistics Statistics
        {
            get
            {
                lock (gate)
                {
                    return new PublisherStatistics(
                        Queue.Waiting, sent, acknowledged, rejected, matched, Math.Max(0, sessions - 1));
                }
            }
        }

        /// <summary>
        /// Ends the session at once. Pushes that were not flushed may be lost, unless there is an
        /// outbox.
        /// </summary>
        public void Dispose()
        {
            End(new PublisherException("closed", "the publisher is closed"));
            connection.Stop();
            lock (gate)
            {
                try
                {
                    Record();
                    outbox?.Sync();
                    outbox?.Dispose();
                }
                catch (Exception e) when (e is IOException || e is ObjectDisposedException)
                {
                    // The pushes in the file are only sent again, under the same numbers.
                }
            }
        }

        // For the methods above.

        private async Task FirstSession()
        {
            Task late = Task.Delay(options.ConnectLimit);
            while (true)
            {
                Task change;
                lock (gate)
                {
                    if (sessions > 0)
                    {
                        return;
                    }
                    if (end != null)
                    {
                        throw new PublisherException(end.Code, end.Message, end);
                    }
                    if (late.IsCompleted)
                    {
                        throw new PublisherException(
                            "not-connected",
                            "no session with " + options.Address + " within " + options.ConnectLimit.TotalSeconds
                            + " s: " + (loss ?? "no attempt has ended yet"));
                    }
                    change = NextProgress();
                }
                await Task.WhenAny(change, late).ConfigureAwait(false);
            }
        }

        private long Push(Payload payload, PushSettings settings)
        {
            lock (gate)
            {
                while (!HasCapacity())
                {
                    Wait(Timeout.Infinite);
                }
                return Add(payload, settings);
            }
        }

        private bool TryPush(Payload payload, out long seq, PushSettings settings)
        {
            lock (gate)
            {
                bool isAccepted = HasCapacity();
                seq = isAccepted ? Add(payload, settings) : 0;
                return isAccepted;
            }
        }

        // With the gate.

        private bool HasCapacity()
        {
            if (end != null)
            {
                throw new PublisherException(end.Code, end.Message, end);
            }
            return isNumbered && Queue.Waiting < options.QueuedPushes && Queue.ByteCount < options.QueuedBytes
                && (outbox == null || outbox.Size < options.OutboxBytes);
        }

        private async Task<long> PushLater(Payload payload, PushSettings settings)
        {
            while (true)
            {
                Task change;
                lock (gate)
                {
                    if (HasCapacity())
                    {
                        return Add(payload, settings);
                    }
                    change = NextProgress();
                }
                await change.ConfigureAwait(false);
            }
        }

        private long Add(Payload payload, PushSettings settings)
        {
            int prefix = Frames.PrefixBytes(settings);
            long body = (long)prefix + payload.Length;
            if (body > maxBody)
            {
                throw new PublisherException(
                    "frame-length", "the push has " + body + " bytes; the router takes " + maxBody);
            }
            long seq = Queue.Next;
            int length = Frames.HeaderBytes + (int)body;
            int start = Queue.Append(length);
            int offset = Frames.PutPush(Queue.Bytes, start, seq, settings, prefix, payload.Length);
            payload.CopyTo(Queue.Bytes, offset);
            try
            {
                outbox?.Append(Queue.Bytes, start, length);
            }
            catch (IOException e)
            {
                Queue.RemoveLast();
                throw new PublisherException("outbox", "the outbox: " + e.Message, e);
            }
            connection.Wake();
            return seq;
        }

        private bool IsFlushed(long target) => Queue.Settled >= target && !isDelivering && events.Count == 0;

        private void Wait(int milliseconds)
        {
            if (connection.IsCurrentThread)
            {
                throw new InvalidOperationException("OnEvent must not wait for its publisher");
            }
            waiters++;
            Monitor.Wait(gate, milliseconds);
            waiters--;
        }

        private Task NextProgress()
        {
            progress = progress
                ?? new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
            return progress.Task;
        }

        private void Progressed()
        {
            if (waiters > 0)
            {
                Monitor.PulseAll(gate);
            }
            progress?.TrySetResult(true);
            progress = null;
        }

        // For the connection. Those that do not say otherwise are called with the gate.

        internal PushQueue Queue { get; } = new PushQueue();

        internal bool IsOver => end != null;

        /// <summary>
        /// The number for HELLO up to which it is known what became of the pushes. It is 0 at first, so
        /// that the router lists what an earlier run had rejected.
        /// </summary>
        internal long TakeAcked()
        {
            acked = isNumbered ? Math.Min(Queue.Settled, known) : 0;
            return acked;
        }

        internal void CountSent(int count) => sent += count;

        /// <summary>Writes what was pushed to the disk, before it is sent; called without the gate.</summary>
        internal void SyncOutbox()
        {
            try
            {
                outbox?.Sync();
            }
            catch (ObjectDisposedException)
            {
                // The publisher is closed, which syncs by itself.
            }
            catch (IOException e)
            {
                Fail("outbox", "the outbox: " + e.Message);
            }
        }

        /// <summary>Records in the outbox what is settled; called every half second or so.</summary>
        internal void Tick()
        {
            try
            {
                Record();
            }
            catch (IOException e)
            {
                Fail("outbox", "the outbox: " + e.Message);
            }
        }

        private void Record()
        {
            if (outbox != null && isNumbered)
            {
                outbox.Settle(Queue.Settled, Queue.Waiting == 0);
            }
        }

        /// <summary>
        /// Begins a session: settles what the router has, which it may have rejected. In the first one,
        /// these are pushes of an earlier run: no number of theirs is used again, because a rejected one
        /// would be listed again after a cut.
        /// </summary>
        internal void Welcomed(Dictionary<string, object> welcome)
        {
            long lastSeq = Json.Number(welcome, "lastSeq", 0);
            long taken = lastSeq;
            maxBody = Json.Number(welcome, "maxBody", maxBody);
            sessions++;
            loss = null;
            events.Add(new PublisherEvent(PublisherEventKind.Connected, lastSeq, null, null, null));
            long behind = Json.Number(welcome, "behind", 0);
            if (behind > 0 && behind <= acked)
            {
                known = acked - behind;
                events.Add(new PublisherEvent(PublisherEventKind.Lost, known + 1, null, null, null, acked));
            }
            if (welcome.TryGetValue("rejected", out object list) && list is List<object> pushes)
            {
                foreach (object element in pushes)
                {
                    if (element is Dictionary<string, object> push)
                    {
                        string message = "refused; the sentence was lost with a connection";
                        long seq = Json.Number(push, "seq", 0);
                        Reject(seq, Json.Text(push, "code", ""), message);
                        known = Math.Max(known, seq);
                        taken = isNumbered ? taken : Math.Max(taken, seq);
                    }
                }
            }
            known = Math.Max(known, lastSeq);
            Settle(taken);
            for (long seq = Queue.Settled + 1; seq < Queue.Next; seq++)
            {
                if (Queue.BodyBytes(seq) > maxBody)
                {
                    Reject(seq, "frame-length", "the router takes " + maxBody + " bytes");
                }
            }
            isNumbered = true;
            Tick();
            Progressed();
        }

        /// <summary>Settles the pushes up to one that the router has acknowledged.</summary>
        internal void Acknowledged(long seq, long widgets)
        {
            matched += widgets;
            known = Math.Max(known, seq);
            Settle(seq);
        }

        /// <summary>Reports what became of a push.</summary>
        internal void ReportOutcome(long seq, Dictionary<string, object> body)
        {
            events.Add(new PublisherEvent(PublisherEventKind.Outcome, seq, null, null, null, 0, body));
        }

        /// <summary>Marks a push as refused by the router.</summary>
        internal void Refused(long seq, string code, string message)
        {
            known = Math.Max(known, seq);
            Reject(seq, code, message);
        }

        private void Settle(long seq)
        {
            acknowledged += Queue.Settle(seq);
            Progressed();
            if (outbox != null && Queue.Waiting == 0 && outbox.Size > KeptOutboxBytes)
            {
                Tick();
            }
        }

        private void Reject(long seq, string code, string message)
        {
            if (Queue.Reject(seq))
            {
                outbox?.Reject(seq);
                rejected++;
                events.Add(new PublisherEvent(PublisherEventKind.Rejected, seq, code, null, message));
            }
        }

        /// <summary>Reports the end of a connection; ends the publisher if another one is no use.</summary>
        internal void Lost(string code, string retry, string message)
        {
            if (end == null)
            {
                string further = retry == "no" ? "no further attempt" : "tried again";
                warning = loss == null
                    ? "no session with " + options.Address + ": " + message + " (" + further + ")" : warning;
                loss = message;
                events.Add(new PublisherEvent(PublisherEventKind.Disconnected, 0, code, retry, message));
                if (retry == "no")
                {
                    Fail(code, message);
                }
            }
        }

        /// <summary>Ends the publisher for good, and reports it; called with or without the gate.</summary>
        private void Fail(string code, string message)
        {
            lock (gate)
            {
                if (end == null)
                {
                    events.Add(new PublisherEvent(PublisherEventKind.Failed, 0, code, null, message));
                    End(new PublisherException(code, message));
                }
            }
        }

        private void End(PublisherException reason)
        {
            lock (gate)
            {
                end = end ?? reason;
                Progressed();
                connection.Disconnect();
            }
        }

        /// <summary>Calls <c>OnEvent</c> with the events so far; called without the gate, by one thread.</summary>
        internal void Deliver()
        {
            while (true)
            {
                PublisherEvent[] batch;
                Warn();
                lock (gate)
                {
                    isDelivering = events.Count > 0;
                    if (!isDelivering)
                    {
                        Progressed();
                        return;
                    }
                    batch = events.ToArray();
                    events.Clear();
                }
                foreach (PublisherEvent happened in batch)
                {
                    Call(happened);
                }
            }
        }

        /// <summary>Writes the first failure of a row if there is no <c>OnEvent</c>.</summary>
        private void Warn()
        {
            string text;
            lock (gate)
            {
                text = warning;
                warning = null;
            }
            if (text != null && options.OnEvent == null)
            {
                Console.Error.WriteLine("ReloadRouter: " + text);
            }
        }

        private void Call(PublisherEvent happened)
        {
            try
            {
                options.OnEvent?.Invoke(happened);
            }
            catch (Exception e)
            {
                // A fault of the owner's code must not end the connection.
                System.Diagnostics.Trace.TraceError("OnEvent: " + e);
            }
        }

        /// <summary>The JSON of a push: a text, or else bytes.</summary>
        private readonly struct Payload
        {
            private readonly string text;
            private readonly ArraySegment<byte> bytes;

            public Payload(string text)
            {
                this.text = text ?? throw new ArgumentNullException(nameof(text));
                bytes = default(ArraySegment<byte>);
            }

            public Payload(ArraySegment<byte> bytes)
            {
                text = null;
                this.bytes = bytes;
            }

            public int Length => text == null ? bytes.Count : Encoding.UTF8.GetByteCount(text);

            public void CopyTo(byte[] target, int offset)
            {
                if (text == null)
                {
                    Buffer.BlockCopy(bytes.Array, bytes.Offset, target, offset, bytes.Count);
                }
                else
                {
                    Encoding.UTF8.GetBytes(text, 0, text.Length, target, offset);
                }
            }
        }
    }
}
