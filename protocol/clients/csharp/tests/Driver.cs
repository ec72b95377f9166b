using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace ReloadRouter.Client.Tests
{
    /// <summary>Lets the conformance tests of all clients control a publisher by JSON lines.</summary>
    public sealed class Driver
    {
        private readonly TextWriter output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));
        private Publisher publisher;

        private Driver()
        {
        }

        /// <summary>Reads commands until <c>close</c> or the end of the input.</summary>
        public static int Main()
        {
            var driver = new Driver();
            var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
            for (string line = input.ReadLine(); line != null; line = input.ReadLine())
            {
                var command = (Dictionary<string, object>)Json.Parse(line);
                try
                {
                    driver.Perform(command);
                }
                catch (PublisherException e)
                {
                    driver.Print("error", e.Code + ": " + e.Message);
                }
                catch (ArgumentException e)
                {
                    driver.Print("error", e.Message);
                }
                if ((string)command["do"] == "close")
                {
                    return 0;
                }
            }
            return 0;
        }

        private void Perform(Dictionary<string, object> command)
        {
            switch ((string)command["do"])
            {
                case "connect":
                    PublisherOptions options = Options(command);
                    TimeSpan? limit = Time(command, "waitMs");
                    options.ConnectLimit = limit ?? options.ConnectLimit;
                    publisher = limit == null ? Publisher.Start(options) : Publisher.Connect(options);
                    break;
                case "push":
                    Print("pushed", publisher.Push(JsonWriter.Write(command["payload"]), Settings(command)));
                    break;
                case "tryPush":
                    var bytes = new ArraySegment<byte>(Encoding.UTF8.GetBytes(JsonWriter.Write(command["payload"])));
                    if (publisher.TryPush(bytes, out long seq, Settings(command)))
                    {
                        Print("pushed", seq);
                    }
                    else
                    {
                        Print("full", true);
                    }
                    break;
                case "flush":
                    Print("flushed", publisher.Flush(Time(command, "timeoutMs").Value));
                    break;
                case "statistics":
                    PublisherStatistics now = publisher.Statistics;
                    Print("statistics", new Dictionary<string, object>
                    {
                        { "queued", now.Queued },
                        { "sent", now.Sent },
                        { "acknowledged", now.Acknowledged },
                        { "rejected", now.Rejected },
                        { "matched", now.Matched },
                        { "reconnects", now.Reconnects },
                    });
                    break;
                case "close":
                    publisher?.Dispose();
                    Print("closed", true);
                    break;
                default:
                    throw new ArgumentException("unknown command: " + command["do"]);
            }
        }

        private PublisherOptions Options(Dictionary<string, object> command)
        {
            var options = new PublisherOptions(
                (string)command["host"], (string)command["app"], (string)command["producer"])
            {
                Token = Member<string>(command, "token"),
                QueuedPushes = (int)(long)command["queue"],
                Outbox = Member<string>(command, "outbox"),
                Outcomes = IsTrue(command, "outcomes"),
            };
            if (command["port"] is long port)
            {
                options.Port = (int)port;
            }
            if (!IsTrue(command, "silent"))
            {
                options.OnEvent = Print;
            }
            string authority = Member<string>(command, "ca");
            options.Plain = authority == null;
            if (authority != null)
            {
                options.Authorities = new X509Certificate2Collection(new X509Certificate2(authority));
            }
            string certificate = Member<string>(command, "certificate");
            if (certificate != null)
            {
                options.Certificate = WithKey(new X509Certificate2(certificate), Member<string>(command, "key"));
            }
            if (Member<List<object>>(command, "backoffMs") is List<object> pauses)
            {
                options.FirstPause = TimeSpan.FromMilliseconds((long)pauses[0]);
                options.LongestPause = TimeSpan.FromMilliseconds((long)pauses[1]);
            }
            options.PingAfter = Time(command, "pingMs") ?? options.PingAfter;
            options.LostAfter = Time(command, "timeoutMs") ?? options.LostAfter;
            options.AttemptTimeout = Time(command, "timeoutMs") ?? options.AttemptTimeout;
            return options;
        }

        /// <summary>
        /// The certificate with an RSA key in PKCS #8. Read by hand, because Mono cannot; a program would
        /// use a PKCS #12 file.
        /// </summary>
        private static X509Certificate2 WithKey(X509Certificate2 certificate, string path)
        {
            string base64 = string.Concat(File.ReadAllLines(path).Where(line => !line.StartsWith("-----")));
            byte[] der = Convert.FromBase64String(base64);
            int offset = 0;
            Enter(der, ref offset, 0x30);
            Skip(der, ref offset, 0x02);
            Skip(der, ref offset, 0x30);
            Enter(der, ref offset, 0x04);
            Enter(der, ref offset, 0x30);
            Skip(der, ref offset, 0x02);
            byte[][] numbers = Enumerable.Range(0, 8).Select(n => Number(der, ref offset)).ToArray();
            var key = new RSACryptoServiceProvider();
            key.ImportParameters(new RSAParameters
            {
                Modulus = numbers[0],
                Exponent = numbers[1],
                D = numbers[2],
                P = numbers[3],
                Q = numbers[4],
                DP = numbers[5],
                DQ = numbers[6],
                InverseQ = numbers[7],
            });
            return certificate.CopyWithPrivateKey(key);
        }

        /// <summary>Passes over the head of a DER element; returns the length of what is in it.</summary>
        private static int Enter(byte[] der, ref int offset, byte tag)
        {
            if (der[offset++] != tag)
            {
                throw new PublisherException("security", "the key is no RSA key in PKCS #8");
            }
            int length = der[offset++];
            int bytes = length < 0x80 ? 0 : length & 0x7f;
            length = bytes > 0 ? 0 : length;
            for (int n = 0; n < bytes; n++)
            {
                length = length << 8 | der[offset++];
            }
            return length;
        }

        private static void Skip(byte[] der, ref int offset, byte tag)
        {
            int length = Enter(der, ref offset, tag);
            offset += length;
        }

        private static byte[] Number(byte[] der, ref int offset)
        {
            int length = Enter(der, ref offset, 0x02);
            byte[] number = der.Skip(offset).Take(length).SkipWhile(b => b == 0).ToArray();
            offset += length;
            return number;
        }

        private static PushSettings Settings(Dictionary<string, object> command)
        {
            bool isUrgent = command.TryGetValue("urgent", out object urgent) && true.Equals(urgent);
            var settings = new PushSettings { Urgent = isUrgent };
            if (command.TryGetValue("expiresAt", out object date) && date is long milliseconds)
            {
                settings.ExpiresAt = DateTimeOffset.FromUnixTimeMilliseconds(milliseconds);
            }
            settings.Kinds = Member<List<object>>(command, "kinds")?.Cast<string>().ToList();
            return settings;
        }

        private static T Member<T>(Dictionary<string, object> command, string name)
            where T : class
        {
            return command.TryGetValue(name, out object value) ? value as T : null;
        }

        private static bool IsTrue(Dictionary<string, object> command, string name)
        {
            return command.TryGetValue(name, out object value) && true.Equals(value);
        }

        private static TimeSpan? Time(Dictionary<string, object> command, string name)
        {
            if (command.TryGetValue(name, out object value) && value is long milliseconds)
            {
                return TimeSpan.FromMilliseconds(milliseconds);
            }
            return null;
        }

        private void Print(PublisherEvent happened)
        {
            var members = new Dictionary<string, object> { { "event", happened.Kind.ToString().ToLowerInvariant() } };
            switch (happened.Kind)
            {
                case PublisherEventKind.Connected:
                    members.Add("lastSeq", happened.Seq);
                    break;
                case PublisherEventKind.Disconnected:
                    members.Add("code", happened.Code);
                    members.Add("retry", happened.Retry);
                    members.Add("message", happened.Message);
                    break;
                case PublisherEventKind.Rejected:
                    members.Add("seq", happened.Seq);
                    members.Add("code", happened.Code);
                    break;
                case PublisherEventKind.Outcome:
                    members.Add("seq", happened.Seq);
                    members.Add("outcome", happened.Outcome);
                    break;
                case PublisherEventKind.Lost:
                    members.Add("from", happened.Seq);
                    members.Add("through", happened.Through);
                    break;
                default:
                    members.Add("code", happened.Code);
                    break;
            }
            Print(members);
        }

        private void Print(string name, object value)
        {
            Print(new Dictionary<string, object> { { name, value } });
        }

        private void Print(Dictionary<string, object> members)
        {
            lock (output)
            {
                output.WriteLine(JsonWriter.Write(members));
                output.Flush();
            }
        }
    }
}
