using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading.Tasks;

namespace ReloadRouter.Client.Tests
{
    /// <summary>Tests of the parts of the client; the conformance tests of all clients test the whole.</summary>
    public static class UnitTests
    {
        private const string Vectors = "../../vectors";
        private const string Potion = "{\"event\":\"healing-potion\",\"character\":\"elf-42\",\"amount\":25}";

        private static int passed;
        private static int failed;

        /// <summary>Runs all tests; the exit code is 1 if one fails.</summary>
        public static int Main()
        {
            Test("pushes are encoded as in the vectors", PushesAreEncoded);
            Test("HELLO is encoded as in the vectors", HelloIsEncoded);
            Test("bodies of the router are read as in the vectors", BodiesAreRead);
            Test("lengths that no frame may have are refused", LengthsAreChecked);
            Test("kinds that do not fit their prefix are refused", KindsAreChecked);
            Test("JSON is read as it is written", JsonIsReadAsWritten);
            Test("what is not JSON is refused", OtherTextIsRefused);
            Test("the queue agrees with a model", QueueAgreesWithModel);
            Test("the newest push is taken back whole", NewestPushIsTakenBack);
            Test("an outbox keeps what is not settled", OutboxKeepsUnsettled);
            Test("an outbox keeps many bytes", OutboxKeepsManyBytes);
            Test("an outbox cut off at any byte keeps the whole pushes", OutboxIsCutAnywhere);
            Test("an outbox is for one producer and one publisher", OutboxIsForOneProducer);
            Test("a file that is no outbox is left alone", OtherFilesAreLeftAlone);
            Test("names in certificates are compared as TLS asks for", NamesAreCompared);
            Test("limits that make no sense are refused", LimitsAreChecked);
            Test("the limit of connecting is one that a timer has", ConnectLimitIsATimers);
            Test("addresses are read as commands read them", AddressesAreRead);
            Test("dates in another unit are refused", DatesAreChecked);
            Test("a listener may not wait, and may fail", ListenerMayNotWait);
            Test("tasks wait as calls do", TasksWait);
            Test("TryPush needs no memory", TryPushNeedsNoMemory);
            Console.WriteLine("Ran " + (passed + failed) + " tests in C#: " + failed + " failed");
            return failed == 0 ? 0 : 1;
        }

        private static void Test(string name, Action body)
        {
            try
            {
                body();
                passed++;
            }
            catch (Exception e)
            {
                failed++;
                Console.WriteLine("FAILED: " + name + "\n" + e);
            }
        }

        // Frames.

        private static void PushesAreEncoded()
        {
            DateTimeOffset date = DateTimeOffset.FromUnixTimeMilliseconds(1795000000000);
            AssertEncodes("push", 124, Potion, new PushSettings());
            AssertEncodes("push-empty", 125, "{}", new PushSettings());
            AssertEncodes("push-urgent", 127, Potion, new PushSettings { Urgent = true });
            AssertEncodes("push-expires", 128, Potion, new PushSettings { ExpiresAt = date });
            AssertEncodes("push-urgent-expires", 129, Potion, new PushSettings { Urgent = true, ExpiresAt = date });
            var board = new[] { "com.mygame.leaderboard" };
            var both = new[] { "com.mygame.leaderboard", "com.mygame.character-detail" };
            AssertEncodes("push-kinds", 126, Potion, new PushSettings { Kinds = board });
            AssertEncodes("push-kinds-two", 126, Potion, new PushSettings { Kinds = both });
            AssertEncodes("push-kinds-none", 126, Potion, new PushSettings { Kinds = new string[0] });
            AssertEncodes("push-kinds-member", 126, "{\"kinds\":7}", new PushSettings());
            AssertEncodes("push-all-flags", 129, Potion,
                new PushSettings { Urgent = true, ExpiresAt = date, Kinds = board });
            AssertEncodes("push-largest-seq", (1L << 53) - 1, "{}", new PushSettings());
        }

        private static void AssertEncodes(string name, long seq, string payload, PushSettings settings)
        {
            AssertEqual(Hex(Frame(seq, payload, settings)), (string)Vector("frames.json", name)["hex"]);
        }

        private static byte[] Frame(long seq, string payload, PushSettings settings = default(PushSettings))
        {
            byte[] text = Encoding.UTF8.GetBytes(payload);
            int prefix = Frames.PrefixBytes(settings);
            var frame = new byte[Frames.HeaderBytes + prefix + text.Length];
            int offset = Frames.PutPush(frame, 0, seq, settings, prefix, text.Length);
            AssertEqual(offset, Frames.HeaderBytes + prefix);
            text.CopyTo(frame, offset);
            return frame;
        }

        private static void HelloIsEncoded()
        {
            var options = new PublisherOptions("localhost", "com.mygame", "shard-7") { Token = "t" };
            string hello = Hex(RouterConnection.Hello(options, 120));
            AssertEqual(hello, (string)Vector("frames.json", "hello-acked")["hex"]);
        }

        private static void BodiesAreRead()
        {
            Dictionary<string, object> welcome = Body("welcome-rejected");
            AssertEqual(Json.Number(welcome, "lastSeq", -1), 123L);
            var first = (Dictionary<string, object>)((List<object>)welcome["rejected"])[0];
            AssertEqual(Json.Number(first, "seq", -1), 122L);
            AssertEqual(Json.Number(Body("welcome-device"), "lastSeq", -1), -1L);
            AssertEqual(Json.Text(Body("reject"), "code", ""), "payload-not-json");
            AssertEqual(Json.Text(Body("error"), "retry", ""), "no");
            AssertEqual(Json.Text(Body("error-later"), "retry", ""), "later");
            AssertEqual(Json.Text(Body("error-reconnect"), "retry", ""), "reconnect");
            AssertEqual(Json.Text(Body("goaway"), "reason", ""), "drain");
        }

        private static Dictionary<string, object> Body(string name)
        {
            byte[] bytes = Bytes((string)Vector("frames.json", name)["hex"]);
            AssertEqual(Frames.Length(bytes, 0, bytes.Length), bytes.Length);
            return RouterConnection.Body(bytes, 0, bytes.Length);
        }

        private static void LengthsAreChecked()
        {
            foreach (string name in new[] { "length-11", "length-huge" })
            {
                byte[] bytes = Bytes((string)Vector("malformed.json", name)["hex"]);
                AssertEqual(Frames.Length(bytes, 0, bytes.Length), -1);
                AssertEqual(Frames.Length(bytes, 0, 3), 0);
            }
        }

        private static void KindsAreChecked()
        {
            byte[] frame = Frame(1, "{}", new PushSettings { Kinds = new[] { "a", "bc" } });
            AssertEqual(Hex(frame).Substring(2 * Frames.HeaderBytes), "0005016102" + "6263" + "7b7d");
            frame = Frame(1, "{}", new PushSettings { Kinds = new string[0] });
            AssertEqual(Hex(frame).Substring(2 * Frames.HeaderBytes), "0000" + "7b7d");
            AssertThrows<ArgumentException>(
                () => Frames.PrefixBytes(new PushSettings { Kinds = new[] { new string('x', 256) } }));
            string[] many = Enumerable.Repeat(new string('x', 128), 1000).ToArray();
            AssertThrows<ArgumentException>(() => Frames.PrefixBytes(new PushSettings { Kinds = many }));
        }

        private static Dictionary<string, object> Vector(string file, string name)
        {
            var all = (List<object>)Json.Parse(File.ReadAllText(Path.Combine(Vectors, file)));
            return all.Cast<Dictionary<string, object>>().First(one => (string)one["name"] == name);
        }

        // JSON.

        private static void JsonIsReadAsWritten()
        {
            string text = "{\"a\":[1,-2.5,true,false,null,{},[]],"
                + "\"\\u00e9\\n\":\"\\\"\\\\ \\ud83d\\udc09\",\"b\":{\"c\":9007199254740991}}";
            object value = Json.Parse(text);
            AssertEqual(JsonWriter.Write(Json.Parse(JsonWriter.Write(value))), JsonWriter.Write(value));
            AssertEqual(((Dictionary<string, object>)value)["é\n"], "\"\\ 🐉");
            AssertEqual(JsonWriter.Write(Json.Parse(" [ 1 , -2.5 ] ")), "[1,-2.5]");
        }

        private static void OtherTextIsRefused()
        {
            string[] texts =
            {
                "", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "\"", "\"\\", "\"\\u12", "\"\\u12x4\"", "tru", "1 2",
                "{a:1}", new string('[', 200),
            };
            foreach (string text in texts)
            {
                AssertThrows<FormatException>(() => Json.Parse(text));
            }
        }

        // The queue.

        private static void QueueAgreesWithModel()
        {
            for (int seed = 0; seed < 200; seed++)
            {
                var random = new Random(seed);
                var queue = new PushQueue();
                var model = new SortedDictionary<long, byte[]>();
                long sent = 0;
                for (int step = 0; step < 300; step++)
                {
                    sent = Step(random, queue, model, sent);
                    AssertEqual(queue.Waiting, model.Count);
                    AssertEqual(queue.ByteCount, model.Values.Sum(frame => (long)frame.Length));
                }
                AssertEqual(queue.Settle(queue.Next + 10), model.Count);
                AssertEqual(queue.Settled + 1, queue.Next);
            }
        }

        /// <summary>Does one thing at random to a queue and its model; returns the last number sent.</summary>
        private static long Step(Random random, PushQueue queue, SortedDictionary<long, byte[]> model, long sent)
        {
            long seq = queue.Settled + random.Next(5);
            switch (random.Next(6))
            {
                case 0:
                case 1:
                    var frame = new byte[16 + random.Next(random.Next(10) == 0 ? 40000 : 3000)];
                    random.NextBytes(frame);
                    model.Add(queue.Next, frame);
                    int target = queue.Append(frame.Length);
                    frame.CopyTo(queue.Bytes, target);
                    return sent;
                case 2:
                    int window = 1 + random.Next(20);
                    int already = model.Keys.Count(key => key <= sent);
                    int count = queue.TakeRun(window, 1 + random.Next(100000));
                    Check(count == 0 || already + count <= window, "the window is exceeded");
                    int offset = queue.RunOffset;
                    for (int n = 0; n < count; n++)
                    {
                        KeyValuePair<long, byte[]> next = model.First(one => one.Key > sent);
                        sent = next.Key;
                        byte[] found = queue.Bytes.Skip(offset).Take(next.Value.Length).ToArray();
                        Check(found.SequenceEqual(next.Value), "another frame is sent");
                        offset += next.Value.Length;
                    }
                    AssertEqual(offset - queue.RunOffset, queue.RunLength);
                    return sent;
                case 3:
                    if (seq <= sent)
                    {
                        long[] settled = model.Keys.Where(key => key <= seq).ToArray();
                        AssertEqual(queue.Settle(seq), settled.Length);
                        foreach (long key in settled)
                        {
                            model.Remove(key);
                        }
                    }
                    return sent;
                case 4:
                    AssertEqual(queue.Reject(seq), model.Remove(seq));
                    return sent;
                default:
                    if (random.Next(10) == 0)
                    {
                        queue.Rewind();
                        return 0;
                    }
                    return sent;
            }
        }

        private static void NewestPushIsTakenBack()
        {
            var queue = new PushQueue();
            queue.Append(20);
            queue.Append(30);
            queue.RemoveLast();
            AssertEqual(queue.Next, 2L);
            AssertEqual(queue.ByteCount, 20L);
            AssertEqual(queue.Append(40), 20);
        }

        // The outbox.

        private static void OutboxKeepsUnsettled()
        {
            string path = TemporaryFile();
            var queue = new PushQueue();
            using (var outbox = new Outbox(path, "a", "p", queue))
            {
                Check(outbox.IsNew, "an empty outbox knows a number");
                outbox.Settle(40, true);
                for (long seq = 41; seq <= 45; seq++)
                {
                    Append(outbox, seq);
                }
                outbox.Reject(43);
                outbox.Settle(41, false);
                outbox.Sync();
            }
            using (var outbox = new Outbox(path, "a", "p", queue))
            {
                Check(!outbox.IsNew, "the outbox has forgotten its numbers");
                AssertEqual(queue.Settled, 41L);
                AssertEqual(queue.Next, 46L);
                AssertEqual(queue.Waiting, 3);
                long before = outbox.Size;
                outbox.Settle(45, true);
                Check(outbox.Size < before, "what is settled takes space");
            }
            var empty = new PushQueue();
            new Outbox(path, "a", "p", empty).Dispose();
            AssertEqual(empty.Next, 46L);
            AssertEqual(empty.Waiting, 0);
        }

        private static void OutboxKeepsManyBytes()
        {
            string path = TemporaryFile();
            string payload = "{\"text\":\"" + new string('x', 3000) + "\"}";
            using (var outbox = new Outbox(path, "a", "p", new PushQueue()))
            {
                for (long seq = 1; seq <= 100; seq++)
                {
                    byte[] frame = Frame(seq, payload);
                    outbox.Append(frame, 0, frame.Length);
                }
            }
            var queue = new PushQueue();
            new Outbox(path, "a", "p", queue).Dispose();
            AssertEqual(queue.TakeRun(1000, 1 << 20), 100);
            int length = Frame(1, payload).Length;
            for (int index = 0; index < 100; index++)
            {
                byte[] found = queue.Bytes.Skip(queue.RunOffset + index * length).Take(length).ToArray();
                Check(found.SequenceEqual(Frame(index + 1, payload)), "push " + index + " is another one");
            }
        }

        private static void Append(Outbox outbox, long seq)
        {
            byte[] frame = Frame(seq, "{\"n\":" + seq + "}");
            outbox.Append(frame, 0, frame.Length);
        }

        private static void OutboxIsCutAnywhere()
        {
            string path = TemporaryFile();
            using (var outbox = new Outbox(path, "a", "p", new PushQueue()))
            {
                outbox.Settle(0, true);
                Append(outbox, 1);
                Append(outbox, 2);
            }
            byte[] whole = File.ReadAllBytes(path);
            int one = Frame(1, "{\"n\":1}").Length;
            for (int length = 0; length <= whole.Length; length++)
            {
                File.WriteAllBytes(path, whole.Take(length).ToArray());
                int cut = whole.Length - length;
                var queue = new PushQueue();
                using (var outbox = new Outbox(path, "a", "p", queue))
                {
                    AssertEqual(queue.Waiting, cut == 0 ? 2 : cut <= one ? 1 : 0);
                    outbox.Settle(queue.Settled, queue.Waiting == 0);
                    Append(outbox, queue.Next);
                }
                var again = new PushQueue();
                new Outbox(path, "a", "p", again).Dispose();
                AssertEqual(again.Waiting, queue.Waiting + 1);
            }
        }

        private static void OutboxIsForOneProducer()
        {
            string path = TemporaryFile();
            using (var outbox = new Outbox(path, "a", "p", new PushQueue()))
            {
                outbox.Settle(0, true);
                AssertThrows<IOException>(() => new Outbox(path, "a", "p", new PushQueue()));
            }
            AssertThrows<IOException>(() => new Outbox(path, "a", "other", new PushQueue()));
            new Outbox(path, "a", "p", new PushQueue()).Dispose();
        }

        private static void OtherFilesAreLeftAlone()
        {
            string path = TemporaryFile();
            foreach (string text in new[] { "notes that matter", "x", "\0\0\0\0\0\0" })
            {
                File.WriteAllText(path, text);
                AssertThrows<IOException>(() => new Outbox(path, "a", "p", new PushQueue()));
                AssertEqual(File.ReadAllText(path), text);
            }
        }

        private static string TemporaryFile()
        {
            string path = Path.GetTempFileName();
            AppDomain.CurrentDomain.ProcessExit += (sender, e) => File.Delete(path);
            return path;
        }

        // Certificates.

        /// <summary>A certificate for router.example, *.games.example and 127.0.0.1.</summary>
        private const string Certificate =
            "MIICRDCCAa2gAwIBAgIUBn6OClPG11BygXsW0ANLM6fnGO4wDQYJKoZIhvcNAQELBQAwGTEXMBUGA1UEAwwOY29tbW9uLmV4"
            + "YW1wbGUwIBcNMjYxMTI3MTg0MDMwWhgPMjEyNjExMDMxODQwMzBaMBkxFzAVBgNVBAMMDmNvbW1vbi5leGFtcGxlMIGfMA0G"
            + "CSqGSIb3DQEBAQUAA4GNADCBiQKBgQDTXKEuFpkHnLWDLfIMHTymCeXc6lpBBiEUQ1eMRiBDh0H0I6YbmxvHm6F8lLIQVpmI"
            + "8svPGXws7slTGQSUae8AcH15RH7rqZuxtpLsDDIjm08qJBO/iMBgtN8Wnm0hSVTAjmVkzIJYhd8VGU+u+SoCwwiAG58HV3ur"
            + "q66AU39E+QIDAQABo4GGMIGDMB0GA1UdDgQWBBTQFQ4mk69faPJ3e/Nnw6/c3AbKFjAfBgNVHSMEGDAWgBTQFQ4mk69faPJ3"
            + "e/Nnw6/c3AbKFjAPBgNVHRMBAf8EBTADAQH/MDAGA1UdEQQpMCeCDnJvdXRlci5leGFtcGxlgg8qLmdhbWVzLmV4YW1wbGWH"
            + "BH8AAAEwDQYJKoZIhvcNAQELBQADgYEAZ9t4dwwVgocddzKGR3EgpplrZgz5jcDjp5d4DdDKvsjuS2YF+rJ6WHqv4t5j2Edn"
            + "DhKK9yh+VIx/nEYfe3PRs1+MrqNXlK6P+vRaIDCRnQ2QvJE9iI1qYctoEmbcRy/yivQJJWMumfYZQ9v3WBLxqXXA/HKPDs76"
            + "p11xwEu6dY8=";

        private static void NamesAreCompared()
        {
            var certificate = new X509Certificate2(Convert.FromBase64String(Certificate));
            foreach (string host in new[] { "router.example", "ROUTER.example", "a.games.example", "127.0.0.1" })
            {
                Check(Tls.IsFor(host, certificate), host + " is refused");
            }
            string[] others =
            {
                "example", "a.router.example", "games.example", "a.b.games.example", ".games.example", "127.0.0.2",
                "::1", "*.games.example.org", "common.example", "",
            };
            foreach (string host in others)
            {
                Check(!Tls.IsFor(host, certificate), host + " is accepted");
            }
        }

        // The whole.

        private static void LimitsAreChecked()
        {
            AssertThrows<ArgumentException>(() => Publisher.Connect(Options(0)));
            AssertThrows<ArgumentException>(
                () => Publisher.Connect(new PublisherOptions("localhost", "a", "p") { QueuedPushes = 0 }));
            AssertThrows<ArgumentException>(
                () => Publisher.Connect(new PublisherOptions("localhost", "a", "p") { QueuedBytes = -1 }));
            PublisherOptions options = Options(7410);
            options.Outbox = "/no/such/folder/file";
            AssertThrows<PublisherException>(() => Publisher.Connect(options));
        }

        private static void ConnectLimitIsATimers()
        {
            using (var router = new Router())
            {
                PublisherOptions options = Options(router.Port);
                foreach (TimeSpan limit in new[] { TimeSpan.FromMilliseconds(2147483648), TimeSpan.MaxValue })
                {
                    options.ConnectLimit = limit;
                    string sentence = "none";
                    try
                    {
                        Publisher.Connect(options).Dispose();
                    }
                    catch (ArgumentException e)
                    {
                        sentence = e.Message;
                    }
                    Check(sentence.StartsWith("the ConnectLimit of " + limit), "the error is: " + sentence);
                }
                Check(!router.HasCaller, "a publisher that was refused connects");
                options.ConnectLimit = TimeSpan.FromMilliseconds(int.MaxValue);
                Task<Publisher> connecting = Publisher.ConnectAsync(options);
                router.Welcome();
                connecting.GetAwaiter().GetResult().Dispose();
            }
        }

        private static void AddressesAreRead()
        {
            foreach (string[] pair in new[]
            {
                new[] { "router.example", "router.example:7410" }, new[] { "router.example:1", "router.example:1" },
                new[] { "127.0.0.1", "127.0.0.1:7410" }, new[] { "[::1]:65535", "[::1]:65535" },
                new[] { "[::1]", "[::1]:7410" }, new[] { "::1", "[::1]:7410" },
            })
            {
                AssertEqual(new PublisherOptions(pair[0], "a", "p").Address, pair[1]);
            }
            foreach (string text in new[]
            {
                "", ":7410", "a:", "a:0", "a:65536", "a:http", "a:1:2", "[::1", "[::1]7410", "[a]:1", "https://a:1",
                "a/b", "u@a:1", "a b:1",
            })
            {
                AssertThrows<ArgumentException>(() => new PublisherOptions(text, "a", "p"));
            }
            AssertThrows<ArgumentException>(() => new PublisherOptions("a:1", "a", "p") { Port = 2 });
            AssertEqual(new PublisherOptions("a:1", "a", "p") { Port = 1 }.Address, "a:1");
        }

        private static void DatesAreChecked()
        {
            foreach (long date in new[] { 0L, 1795000000L, 816692800L })
            {
                var settings = new PushSettings { ExpiresAt = DateTimeOffset.FromUnixTimeMilliseconds(date) };
                AssertThrows<ArgumentException>(() => Frames.PrefixBytes(settings));
            }
            Frames.PrefixBytes(new PushSettings { ExpiresAt = DateTimeOffset.MaxValue });
        }

        private static PublisherOptions Options(int port)
        {
            return new PublisherOptions("127.0.0.1", "a", "p") { Port = port, Plain = true };
        }

        private static void ListenerMayNotWait()
        {
            var seen = new List<string>();
            using (var router = new Router())
            {
                PublisherOptions options = Options(router.Port);
                Publisher publisher = null;
                options.OnEvent = happened =>
                {
                    if (happened.Kind == PublisherEventKind.Rejected)
                    {
                        AssertThrows<InvalidOperationException>(() => publisher.Flush(TimeSpan.FromSeconds(1)));
                        seen.Add(happened.Code);
                        throw new ArgumentException("a fault of the listener");
                    }
                };
                publisher = Publisher.Start(options);
                router.Welcome();
                AssertEqual(publisher.Push("[]"), 1L);
                AssertEqual(publisher.Push("{}"), 2L);
                router.Read();
                router.Read();
                router.Send(Frames.Encode(Frames.Reject, 1, "{\"code\":\"payload-not-object\"}"));
                router.Send(Frames.Encode(Frames.Ack, 2, "\0\0\0\0"));
                Check(publisher.Flush(TimeSpan.FromSeconds(10)), "the pushes are not settled");
                AssertEqual(string.Join(",", seen), "payload-not-object");
                AssertEqual(
                    publisher.Statistics.ToString(), "queued 0, sent 2, acknowledged 1, rejected 1, matched 0, reconnects 0");
                publisher.Dispose();
                AssertThrows<PublisherException>(() => publisher.TryPush("{}", out long seq));
            }
        }

        private static void TasksWait()
        {
            using (var router = new Router())
            {
                PublisherOptions options = Options(router.Port);
                options.QueuedPushes = 1;
                using (Publisher publisher = Publisher.Start(options))
                {
                    Task<long> first = publisher.PushAsync("{}").AsTask();
                    Check(!first.Wait(50), "a push has a number before the first session");
                    router.Welcome();
                    AssertEqual(first.Result, 1L);
                    Task<long> second = publisher.PushAsync("{}").AsTask();
                    Check(!second.Wait(50), "a push is accepted although the queue is full");
                    Check(!publisher.FlushAsync(TimeSpan.FromMilliseconds(50)).Result, "nothing is acknowledged");
                    router.Read();
                    router.Send(Frames.Encode(Frames.Ack, 1, "\0\0\0\0"));
                    AssertEqual(second.Result, 2L);
                    Task<bool> flush = publisher.FlushAsync(TimeSpan.FromSeconds(10));
                    router.Read();
                    router.Send(Frames.Encode(Frames.Ack, 2, "\0\0\0\0"));
                    Check(flush.Result, "the pushes are not settled");
                    Task<long> third = publisher.PushAsync("{}").AsTask();
                    AssertEqual(third.Result, 3L);
                    Task<long> fourth = publisher.PushAsync("{}").AsTask();
                    publisher.Dispose();
                    AssertThrows<AggregateException>(() => fourth.Wait());
                }
            }
        }

        private static void TryPushNeedsNoMemory()
        {
            const int Count = 200000;
            var settings = new PushSettings
            {
                Urgent = true, ExpiresAt = DateTimeOffset.UtcNow, Kinds = new List<string> { "k" },
            };
            using (var router = new Router())
            {
                PublisherOptions options = Options(router.Port);
                options.QueuedPushes = Count + 1;
                options.QueuedBytes = 100 << 20;
                using (Publisher publisher = Publisher.Start(options))
                {
                    router.Welcome();
                    publisher.Push("{}");
                    PushMany(publisher, Count, settings);
                    // The queue has grown. The next session settles all, so that as many fit again.
                    router.Welcome(Count + 1);
                    Check(publisher.Flush(TimeSpan.FromSeconds(10)), "the pushes are not settled");
                    int before = GC.CollectionCount(0);
                    PushMany(publisher, Count, settings);
                    AssertEqual(GC.CollectionCount(0), before);
                }
            }
        }

        private static void PushMany(Publisher publisher, int count, PushSettings settings)
        {
            for (int n = 0; n < count; n++)
            {
                Check(publisher.TryPush(Potion, out long seq, settings), "the queue is full");
            }
        }

        /// <summary>A router of one connection that does what a test says.</summary>
        private sealed class Router : IDisposable
        {
            private readonly TcpListener listener = new TcpListener(IPAddress.Loopback, 0);
            private TcpClient client;

            public Router()
            {
                listener.Start();
            }

            public int Port
            {
                get { return ((IPEndPoint)listener.LocalEndpoint).Port; }
            }

            /// <summary>Whether a connection waits for <c>Welcome</c>.</summary>
            public bool HasCaller
            {
                get { return listener.Pending(); }
            }

            /// <summary>Begins a session, with a window of nine pushes; ends the one before.</summary>
            public void Welcome(long lastSeq = 0)
            {
                client?.Close();
                client = listener.AcceptTcpClient();
                Read();
                Send(Frames.Encode(Frames.Welcome, 0, "{\"v\":1,\"window\":9,\"lastSeq\":" + lastSeq + "}"));
            }

            /// <summary>Reads one frame.</summary>
            public void Read()
            {
                byte[] length = Read(4);
                Read((int)Frames.GetUInt32(length, 0));
            }

            public void Send(byte[] frame)
            {
                client.GetStream().Write(frame, 0, frame.Length);
            }

            public void Dispose()
            {
                client?.Close();
                listener.Stop();
            }

            private byte[] Read(int count)
            {
                var bytes = new byte[count];
                for (int offset = 0; offset < count;)
                {
                    int read = client.GetStream().Read(bytes, offset, count - offset);
                    Check(read > 0, "the publisher has closed the connection");
                    offset += read;
                }
                return bytes;
            }
        }

        // Checks.

        private static string Hex(byte[] bytes)
        {
            return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();
        }

        private static byte[] Bytes(string hex)
        {
            return Enumerable.Range(0, hex.Length / 2)
                .Select(n => Convert.ToByte(hex.Substring(2 * n, 2), 16)).ToArray();
        }

        private static void Check(bool condition, string otherwise)
        {
            if (!condition)
            {
                throw new InvalidDataException(otherwise);
            }
        }

        private static void AssertEqual<T>(T found, T wanted)
        {
            Check(Equals(found, wanted), "found " + found + ", wanted " + wanted);
        }

        private static void AssertThrows<T>(Action body)
            where T : Exception
        {
            try
            {
                body();
            }
            catch (T)
            {
                return;
            }
            throw new InvalidDataException("nothing is thrown");
        }
    }
}
