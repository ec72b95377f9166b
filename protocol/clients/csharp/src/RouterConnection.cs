using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace ReloadRouter.Client {
    /// <summary>
    /// The connection of a publisher to its router: makes it again when it is lost, and passes frames.
    /// One thread connects, reads and calls <c>OnEvent</c>; the other writes, because a blocking socket
    /// keeps a thread that reads; another watches for silence. This object is their lock, and the queue's.
    /// Nothing has it while it waits for the network, the disk or <c>OnEvent</c>.
    /// </summary>
    internal sealed class RouterConnection {
        private const int BatchBytes = 256 << 10;

        /// <summary>The most bytes of PONGs that wait to be sent.</summary>
        private const int MostControlBytes = 64 << 10;

        private readonly PublisherOptions options;
        private readonly Thread reader;
        private readonly Thread writer;
        private readonly int tick;
        private readonly Random random = new Random(Guid.NewGuid().GetHashCode());
        private readonly ManualResetEventSlim over = new ManualResetEventSlim();

        /// <summary>Why the publisher is over; null while it is not.</summary>
        private volatile PublisherException end;

        /// <summary>Why the last connection, or attempt, has ended; null after WELCOME.</summary>
        private PublisherException loss;

        /// <summary>Only the reader changes it.</summary>
        private Phase phase = Phase.Closed;

        private Socket socket;
        private Stream output;
        private readonly MemoryStream control = new MemoryStream();
        private TaskCompletionSource<bool> progress;

        /// <summary>When the router was heard, or began to be waited for, and when PING was sent or that.</summary>
        private long heardAt, pingedAt;

        public RouterConnection(PublisherOptions options) {
            this.options = options;
            try {
                Queue = new PushQueue(options);
            } catch (Exception e) when (e is IOException || e is UnauthorizedAccessException) {
                throw new PublisherException("outbox", "the outbox: " + e.Message, e);
            }
            TimeSpan shortest = new[] { options.PingAfter, options.LostAfter, options.AttemptTimeout }.Min();
            tick = (int)Math.Max(1, Math.Min(250, shortest.TotalMilliseconds / 4));
            reader = new Thread(Run) { IsBackground = true, Name = "reload-router-publisher" };
            writer = new Thread(Write) { IsBackground = true, Name = "reload-router-writer" };
            reader.Start();
            writer.Start();
            // Not a timer: callers that wait may have all threads of the pool.
            new Thread(Watch) { IsBackground = true, Name = "reload-router-watch" }.Start();
        }

        private enum Phase { Closed, Opening, Open, Draining }

        public PushQueue Queue { get; }

        private static long Now => (long)(Stopwatch.GetTimestamp() * 1000.0 / Stopwatch.Frequency);

        private bool HasSession => phase == Phase.Open || phase == Phase.Draining;

        /// <summary>Ends the connection and, unless <c>OnEvent</c> calls it, both threads.</summary>
        public void Stop() {
            End(new PublisherException("closed", "the publisher is closed"));
            if (Thread.CurrentThread != reader) {
                reader.Join();
                writer.Join();
            }
        }

        // For those who publish.

        /// <summary>Throws why the publisher is over, if it is.</summary>
        public void Check() {
            if (end != null) {
                throw new PublisherException(end.Code, end.Message, end);
            }
        }

        /// <summary>Throws why there is no session after the limit of connecting.</summary>
        public void CheckSession() {
            Check();
            if (!Queue.HasSession) {
                throw new PublisherException(
                    "not-connected",
                    "no session with " + options.Address + " within " + options.ConnectLimit.TotalSeconds + " s: "
                    + (loss == null ? "no attempt has ended yet" : loss.Message), loss);
            }
        }

        /// <summary>
        /// Waits until something is so; ends before when the publisher is over, or the time. A longer time than
        /// timers have is none.
        /// </summary>
        public async Task WaitAsync(Func<bool> isSo, TimeSpan limit) {
            Task late = Task.Delay(limit < TimeSpan.Zero ? TimeSpan.Zero
                : limit.TotalMilliseconds > int.MaxValue ? Timeout.InfiniteTimeSpan : limit);
            while (true) {
                Task change;
                lock (this) {
                    if (isSo() || end != null || late.IsCompleted) {
                        return;
                    }
                    if (Thread.CurrentThread == reader) {
                        throw new InvalidOperationException("OnEvent must not wait for its publisher");
                    }
                    progress = progress
                        ?? new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                    change = progress.Task;
                }
                await Task.WhenAny(change, late).ConfigureAwait(false);
            }
        }

        /// <summary>Has queued pushes sent, by the writer, which alone waits for this; called with the lock.</summary>
        public void Wake() => Monitor.Pulse(this);

        /// <summary>Continues the writer, and those who publish; called with the lock.</summary>
        private void Changed() {
            Wake();
            progress?.TrySetResult(true);
            progress = null;
        }

        // The end of a connection, and of all.

        private void End(PublisherException reason) {
            lock (this) {
                end = end ?? reason;
                over.Set();
                Close(socket);
                Changed();
            }
        }

        /// <summary>Ends the publisher for good, and reports it.</summary>
        private void Fail(PublisherException reason) {
            lock (this) {
                if (end == null) {
                    Queue.Report(PublisherEventKind.Failed, 0, reason.Code, reason.Message);
                    End(reason);
                }
            }
        }

        /// <summary>Reports the end of a connection; ends the publisher if another one is no use.</summary>
        private void Report(PublisherException lost) {
            bool isLast = lost.Retry == "no";
            if (end == null && loss == null && options.OnEvent == null) {
                Console.Error.WriteLine(
                    "ReloadRouter: no session with " + options.Address + ": " + lost.Message
                    + (isLast ? " (no further attempt)" : " (tried again)"));
            }
            lock (this) {
                phase = Phase.Closed;
                Queue.Rewind();
                if (end == null) {
                    loss = lost;
                    Queue.Report(PublisherEventKind.Disconnected, 0, lost.Code, lost.Message, lost.Retry);
                }
                if (isLast) {
                    Fail(lost);
                }
            }
        }

        /// <summary>Calls <c>OnEvent</c> with the events so far, and then continues those who wait for that.</summary>
        private void Deliver() {
            PublisherEvent[] events;
            lock (this) {
                events = Queue.Events.ToArray();
            }
            foreach (PublisherEvent happened in events) {
                try {
                    options.OnEvent?.Invoke(happened);
                } catch (Exception e) {
                    // A fault of the owner's code must not end the connection.
                    Trace.TraceError("OnEvent: " + e);
                }
            }
            lock (this) {
                Queue.Events.RemoveRange(0, events.Length);
                Changed();
            }
        }

        // The thread that connects and reads.

        private void Run() {
            double first = options.FirstPause.TotalMilliseconds;
            double longest = options.LongestPause.TotalMilliseconds;
            double pause = first;
            while (end == null) {
                PublisherException lost = Visit();
                pause = lost.Retry == "later" ? longest : HasSession ? first : pause;
                Report(lost);
                Deliver();
                over.Wait((int)Math.Min(int.MaxValue, pause * (0.5 + random.NextDouble() / 2)));
                pause = Math.Min(longest, 2 * pause);
            }
            Deliver();
        }

        /// <summary>Tries the router's addresses until one of them has a session; returns why that has ended.</summary>
        private PublisherException Visit() {
            PublisherException lost = Lost("unknown host: " + options.Host, null);
            try {
                foreach (IPAddress address in Dns.GetHostAddresses(options.Host)) {
                    lost = Connect(address);
                    if (HasSession || lost.Retry == "no") {
                        break;
                    }
                }
            } catch (SocketException e) {
                lost = Lost(options.Host + ": " + e.Message, e);
            }
            return lost;
        }

        private static PublisherException Lost(string message, Exception cause)
            => new PublisherException(null, message, cause, "reconnect");

        /// <summary>Connects, and reads until the connection ends; returns why.</summary>
        private PublisherException Connect(IPAddress address) {
            Socket raw = null;
            try {
                raw = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                lock (this) {
                    Check();
                    socket = raw;
                    phase = Phase.Opening;
                    heardAt = Now + (long)options.AttemptTimeout.TotalMilliseconds;
                }
                IAsyncResult opening = raw.BeginConnect(address, options.Port, null, null);
                if (!opening.AsyncWaitHandle.WaitOne(options.AttemptTimeout)) {
                    return Lost("no connection to " + address + " in time", null);
                }
                raw.EndConnect(opening);
                lock (this) {
                    heardAt = Now;
                }
                Stream stream = new NetworkStream(raw, false);
                stream = options.Plain ? stream : Tls.Connect(options, stream);
                lock (this) {
                    output = stream;
                    control.SetLength(0);
                    AddControl(Frames.EncodeHello(
                        options.App, options.Token, options.Producer, options.Outcomes, Queue.TakeAcked()));
                }
                Read(stream);
                return Lost("the router has closed the connection", null);
            } catch (PublisherException e) {
                return e;
            } catch (Exception e) {
                // Of the network, of TLS, or of what the peer sends: another attempt may succeed.
                return Lost(e.GetBaseException().Message, e);
            } finally {
                lock (this) {
                    socket = null;
                    output = null;
                }
                Close(raw);
            }
        }

        /// <summary>Reads until the peer, or the watch, ends the connection.</summary>
        private void Read(Stream stream) {
            var bytes = new byte[Frames.MostBytes];
            int end = 0;
            for (int count; (count = stream.Read(bytes, end, bytes.Length - end)) > 0;) {
                end += count;
                int used = Receive(bytes, end);
                Buffer.BlockCopy(bytes, used, bytes, 0, end - used);
                end -= used;
            }
        }

        /// <summary>Processes the whole frames at the front of some bytes; returns their length.</summary>
        private int Receive(byte[] bytes, int end) {
            int offset = 0;
            try {
                lock (this) {
                    pingedAt = Now;
                    heardAt = phase == Phase.Opening ? heardAt : pingedAt;
                    for (int length; (length = Frames.Length(bytes, offset, end)) > 0; offset += length) {
                        Receive(bytes, offset, length);
                    }
                    Changed(); // There may be capacity, and the window may be open.
                }
            } catch (FormatException e) {
                throw new IOException("the peer is probably no router: " + e.Message, e);
            } finally {
                Deliver();
            }
            return offset;
        }

        private void Receive(byte[] bytes, int offset, int length) {
            byte type = bytes[offset + 4];
            long seq = Frames.Seq(bytes, offset);
            switch (type) {
                case Frames.Ping:
                    if (control.Length > MostControlBytes) {
                        throw new IOException("PINGs come faster than their PONGs can be sent");
                    }
                    AddControl(Frames.Encode(Frames.Pong, seq, ""));
                    break;
                case Frames.Pong:
                    break;
                case Frames.Welcome:
                    if (phase != Phase.Opening) {
                        throw new IOException("a second WELCOME came");
                    }
                    Queue.Welcomed(Body(bytes, offset, length));
                    loss = null;
                    phase = Phase.Open;
                    heardAt = Now;
                    break;
                case Frames.Ack:
                    bool hasCount = length >= Frames.HeaderBytes + 4;
                    Queue.Acknowledged(seq, hasCount ? Frames.GetUInt32(bytes, offset + Frames.HeaderBytes) : 0);
                    break;
                case Frames.Reject:
                    Queue.Refused(seq, Body(bytes, offset, length));
                    break;
                case Frames.Outcome:
                    Queue.Report(PublisherEventKind.Outcome, seq, outcome: Body(bytes, offset, length));
                    break;
                case Frames.GoAway:
                    phase = phase == Phase.Open ? Phase.Draining : phase;
                    break;
                case Frames.Error:
                    Dictionary<string, object> body = Body(bytes, offset, length);
                    string code = Json.Text(body, "code");
                    string retry = Json.Text(body, "retry");
                    retry = retry == "later" || retry == "reconnect" ? retry : "no";
                    throw new PublisherException(code, code + ": " + Json.Text(body, "message"), null, retry);
                default:
                    if (type < Frames.FirstIgnored) {
                        throw new IOException("frames of type " + type + " are not for a publisher");
                    }
                    break;
            }
        }

        private static Dictionary<string, object> Body(byte[] bytes, int offset, int length) {
            string text = Encoding.UTF8.GetString(bytes, offset + Frames.HeaderBytes, length - Frames.HeaderBytes);
            return Json.Parse(text) as Dictionary<string, object> ?? throw new FormatException("no JSON object");
        }

        private void AddControl(byte[] frame) {
            control.Write(frame, 0, frame.Length);
            Wake();
        }

        // The thread that writes.

        /// <summary>Sends what is due, which is on the disk before, until the publisher is over.</summary>
        private void Write() {
            var batch = new MemoryStream();
            while (end == null) {
                Stream to = Take(batch);
                Sync();
                try {
                    to?.Write(batch.GetBuffer(), 0, (int)batch.Length);
                    to?.Flush();
                } catch (Exception) {
                    // The reader sees the end of the connection, and before it an ERROR that says why.
                    lock (this) {
                        output = output == to ? null : output;
                    }
                }
            }
        }

        /// <summary>Waits for something to do; returns where a batch is to be written, null if it is empty.</summary>
        private Stream Take(MemoryStream batch) {
            batch.SetLength(0);
            lock (this) {
                while (end == null) {
                    if (output != null) {
                        control.WriteTo(batch);
                        control.SetLength(0);
                        if (phase == Phase.Open) {
                            Queue.Take(batch, BatchBytes);
                        }
                    }
                    if (batch.Length > 0 || Queue.Outbox.IsDirty) {
                        return output;
                    }
                    Monitor.Wait(this);
                }
                return null;
            }
        }

        /// <summary>Has what was accepted before on the disk; called without the lock.</summary>
        private void Sync() {
            try {
                Queue.Outbox.Sync();
            } catch (Exception e) when (e is IOException || e is ObjectDisposedException) {
                Fail(new PublisherException("outbox", "the outbox: " + e.Message, e));
            }
        }

        // The watch.

        /// <summary>
        /// Sends PING when it is due, and ends a connection that has been silent for too long. The disk is up
        /// to date, also while the writer waits for a router that takes nothing.
        /// </summary>
        private void Tick() {
            lock (this) {
                if (phase == Phase.Open && Now - pingedAt >= options.PingAfter.TotalMilliseconds) {
                    pingedAt = Now;
                    AddControl(Frames.Encode(Frames.Ping, 0, ""));
                }
                TimeSpan limit = HasSession ? options.LostAfter : options.AttemptTimeout;
                if (Now - heardAt >= limit.TotalMilliseconds) {
                    Close(socket);
                }
            }
            Sync();
        }

        private void Watch() {
            while (!over.Wait(tick)) {
                Tick();
            }
        }

        private static void Close(Socket socket) {
            try {
                // Reads and writes that are waiting end by this; Close alone leaves some of them waiting.
                socket?.Shutdown(SocketShutdown.Both);
            } catch (Exception e) when (e is SocketException || e is ObjectDisposedException) {
                // It was not connected any more.
            }
            socket?.Close();
        }
    }
}
