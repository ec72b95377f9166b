using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
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
        /// <summary>About how many bytes are written, or read, at once; also the most of PONGs that wait.</summary>
        private const int BatchBytes = 256 << 10;

        /// <summary>How often the watch looks, in milliseconds.</summary>
        private const int Tick = 100;

        private readonly PublisherOptions options;
        private readonly Thread reader;
        private readonly Thread writer;
        private readonly Thread watch;
        private readonly Stopwatch clock = Stopwatch.StartNew();
        private readonly ManualResetEventSlim over = new ManualResetEventSlim();

        private readonly PublisherException closed = new PublisherException("closed", "the publisher is closed");

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
        private TimeSpan heardAt, pingedAt;

        public RouterConnection(PublisherOptions options) {
            this.options = options;
            Queue = new PushQueue(options);
            reader = Begin("publisher", Run);
            writer = Begin("writer", Write);
            watch = Begin("watch", Watch); // Not a timer: callers that wait may have all threads of the pool.
        }

        private enum Phase { Closed, Opening, Open, Draining }

        public PushQueue Queue { get; }

        private static Thread Begin(string name, ThreadStart body) {
            var thread = new Thread(body) { IsBackground = true, Name = "reload-router-" + name };
            thread.Start();
            return thread;
        }

        // For those who publish.

        /// <summary>Ends the connection and, unless <c>OnEvent</c> calls it, the threads that use it.</summary>
        public void Stop() {
            End(closed);
            if (Thread.CurrentThread != reader) {
                reader.Join();
                writer.Join();
                watch.Join();
            }
        }

        /// <summary>Throws why the publisher is over, if it is.</summary>
        public void Check() {
            if (end != null) {
                throw new PublisherException(end.Code, end.Message, end);
            }
        }

        /// <summary>Waits for the first session, up to the limit of connecting; throws why there is none.</summary>
        public async Task WaitForSessionAsync() {
            await WaitAsync(() => Queue.HasSession, options.ConnectLimit).ConfigureAwait(false);
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
            Task late = null; // Made only to wait: Mono may not end while its first timer begins.
            while (true) {
                Task change;
                lock (this) {
                    if (isSo() || end != null || late != null && late.IsCompleted) {
                        return;
                    }
                    if (Thread.CurrentThread == reader) {
                        throw new InvalidOperationException("OnEvent must not wait for its publisher");
                    }
                    progress = progress
                        ?? new TaskCompletionSource<bool>(TaskCreationOptions.RunContinuationsAsynchronously);
                    change = progress.Task;
                }
                late = late ?? Task.Delay(limit < TimeSpan.Zero ? TimeSpan.Zero
                    : limit.TotalMilliseconds > int.MaxValue ? Timeout.InfiniteTimeSpan : limit);
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

        /// <summary>Ends the publisher for good.</summary>
        private void End(PublisherException reason) {
            lock (this) {
                if (end == null) {
                    end = reason;
                    over.Set();
                    Close(socket);
                    Changed();
                }
            }
        }

        // The thread that connects and reads.

        private void Run() {
            var random = new Random(Guid.NewGuid().GetHashCode());
            double first = options.FirstPause.TotalMilliseconds;
            double longest = options.LongestPause.TotalMilliseconds;
            double pause = first;
            while (end == null) {
                PublisherException lost = Visit();
                pause = lost.Retry == "later" ? longest : phase >= Phase.Open ? first : pause;
                Report(lost);
                over.Wait((int)Math.Min(int.MaxValue, pause * (0.5 + random.NextDouble() / 2)));
                pause = Math.Min(longest, 2 * pause);
            }
            if (end != closed) {
                Queue.Events.Enqueue(new PublisherEvent(PublisherEventKind.Failed, end));
            }
            Deliver();
        }

        /// <summary>Reports the end of a connection; ends the publisher if another one is no use.</summary>
        private void Report(PublisherException lost) {
            bool isLast = lost.Retry == "no";
            if (end == null && loss == null && options.OnEvent == null) {
                Console.Error.WriteLine(
                    "ReloadRouter: no session with " + options.Address + ": " + lost.Message
                    + (isLast ? " (no further attempt)" : " (tried again)"));
            }
            if (end == null) {
                Queue.Events.Enqueue(new PublisherEvent(PublisherEventKind.Disconnected, lost));
            }
            lock (this) {
                phase = Phase.Closed;
                loss = lost;
                Queue.Rewind();
            }
            Deliver();
            if (isLast) {
                End(lost);
            }
        }

        /// <summary>Calls <c>OnEvent</c> with the events so far, and then continues those who wait for that.</summary>
        private void Deliver() {
            if (Queue.Events.IsEmpty) {
                return;
            }
            while (Queue.Events.TryPeek(out PublisherEvent happened)) {
                try {
                    options.OnEvent?.Invoke(happened);
                } catch (Exception e) {
                    // A fault of the owner's code must not end the connection.
                    Trace.TraceError("OnEvent: " + e);
                }
                Queue.Events.TryDequeue(out happened);
            }
            lock (this) {
                Changed();
            }
        }

        /// <summary>Tries the router's addresses until one of them has a session; returns why that has ended.</summary>
        private PublisherException Visit() {
            PublisherException lost = null;
            try {
                foreach (IPAddress address in Dns.GetHostAddresses(options.Host)) {
                    lost = Connect(address);
                    if (phase >= Phase.Open || lost.Retry == "no") {
                        break;
                    }
                }
            } catch (SocketException e) {
                lost = Lost(options.Host + ": ", e);
            }
            return lost ?? Lost("", new SocketException((int)SocketError.HostNotFound));
        }

        private static PublisherException Lost(string start, Exception cause)
            => new PublisherException(null, start + cause.GetBaseException().Message, cause, "reconnect");

        /// <summary>Connects, and reads until the peer, or the watch, ends the connection; returns why.</summary>
        private PublisherException Connect(IPAddress address) {
            Socket raw = null;
            try {
                raw = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                lock (this) {
                    Check();
                    socket = raw;
                    phase = Phase.Closed;
                }
                Task opening = raw.ConnectAsync(address, options.Port);
                if (!opening.Wait(options.AttemptTimeout)) {
                    opening.ContinueWith(late => late.Exception); // Else it is reported as not observed.
                    throw new TimeoutException("no connection to " + address + " in time");
                }
                lock (this) {
                    phase = Phase.Opening;
                    heardAt = clock.Elapsed;
                }
                Stream stream = new NetworkStream(raw, false);
                stream = options.Plain ? stream : Tls.Connect(options, stream);
                lock (this) {
                    output = stream;
                    control.SetLength(0);
                    AddControl(Frames.EncodeHello(
                        options.App, options.Token, options.Producer, options.Outcomes, Queue.TakeAcked()));
                }
                Read(new BufferedStream(stream, BatchBytes));
                throw new EndOfStreamException("the router has closed the connection");
            } catch (Exception e) {
                // Of the network, of TLS, or of what the peer sends: another attempt may succeed.
                return e as PublisherException ?? Lost("", e);
            } finally {
                lock (this) {
                    socket = null;
                    output = null;
                }
                Close(raw);
            }
        }

        private void Read(Stream input) {
            var frame = new byte[Frames.MostBytes];
            for (int length; (length = Frames.Read(input, frame)) > 0;) {
                lock (this) {
                    Receive(frame, length);
                    if (phase >= Phase.Open) {
                        heardAt = pingedAt = clock.Elapsed;
                    }
                    Changed(); // There may be capacity, and the window may be open.
                }
                Deliver();
            }
        }

        private void Receive(byte[] frame, int length) {
            long seq = Frames.Seq(frame, 0);
            switch (frame[4]) {
                case Frames.Ping:
                    if (control.Length > BatchBytes) {
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
                    Queue.Welcomed(Body(frame, length));
                    loss = null;
                    phase = Phase.Open;
                    break;
                case Frames.Ack:
                    bool hasCount = length >= Frames.HeaderBytes + 4;
                    Queue.Acknowledged(
                        seq, hasCount ? BinaryPrimitives.ReadUInt32BigEndian(frame.AsSpan(Frames.HeaderBytes)) : 0);
                    break;
                case Frames.Reject:
                    Queue.Refused(seq, Body(frame, length));
                    break;
                case Frames.Outcome:
                    Queue.Events.Enqueue(
                        new PublisherEvent(PublisherEventKind.Outcome) { Seq = seq, Outcome = Body(frame, length) });
                    break;
                case Frames.GoAway:
                    phase = phase == Phase.Open ? Phase.Draining : phase;
                    break;
                case Frames.Error:
                    Dictionary<string, object> body = Body(frame, length);
                    string code = Json.Text(body, "code");
                    string retry = Json.Text(body, "retry");
                    retry = retry == "later" || retry == "reconnect" ? retry : "no";
                    throw new PublisherException(code, code + ": " + Json.Text(body, "message"), null, retry);
                default:
                    if (frame[4] < Frames.FirstIgnored) {
                        throw new IOException("frames of type " + frame[4] + " are not for a publisher");
                    }
                    break;
            }
        }

        private static Dictionary<string, object> Body(byte[] frame, int length) {
            string text = Encoding.UTF8.GetString(frame, Frames.HeaderBytes, length - Frames.HeaderBytes);
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
                    if (batch.Length > 0) {
                        batch.WriteTo(to);
                        to.Flush();
                    }
                } catch (Exception) {
                    // The reader sees the end of the connection, and before it an ERROR that says why.
                    lock (this) {
                        output = output == to ? null : output;
                    }
                }
            }
        }

        /// <summary>Fills a batch with what is due, and returns where it is to be sent; if nothing is, waits.</summary>
        private Stream Take(MemoryStream batch) {
            batch.SetLength(0);
            lock (this) {
                if (output != null) {
                    control.WriteTo(batch);
                    control.SetLength(0);
                }
                if (output != null && phase == Phase.Open) {
                    Queue.Take(batch, BatchBytes);
                }
                if (end == null && batch.Length == 0 && !Queue.Outbox.IsDirty) {
                    Monitor.Wait(this);
                }
                return output;
            }
        }

        /// <summary>Has what was accepted before on the disk; called without the lock.</summary>
        private void Sync() {
            try {
                Queue.Outbox.Sync();
            } catch (PublisherException e) {
                End(e);
            }
        }

        // The thread that watches.

        /// <summary>
        /// Sends PING when it is due, and ends a connection that has been silent for too long. The disk is up
        /// to date, also while the writer waits for a router that takes nothing.
        /// </summary>
        private void Watch() {
            while (!over.Wait(Tick)) {
                lock (this) {
                    TimeSpan now = clock.Elapsed;
                    if (phase == Phase.Open && now - pingedAt >= options.PingAfter) {
                        pingedAt = now;
                        AddControl(Frames.Encode(Frames.Ping, 0, ""));
                    }
                    TimeSpan limit = phase == Phase.Opening ? options.AttemptTimeout : options.LostAfter;
                    if (phase != Phase.Closed && now - heardAt >= limit) {
                        Close(socket);
                    }
                }
                Sync();
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
