using System;
using System.Text;

namespace ReloadRouter.Client {
    /// <summary>
    /// The bytes of the push protocol's frames: length u32, type, flags, two zeros, seq u64, body.
    /// All integers are big-endian; the length counts what follows it.
    /// </summary>
    internal static class Frames {
        public const byte Hello = 0x01, Welcome = 0x02, Ping = 0x03, Pong = 0x04;
        public const byte Push = 0x10, Ack = 0x11, Reject = 0x12, Outcome = 0x13, Error = 0x7e, GoAway = 0x7f;

        /// <summary>Frames of types from here on that the client does not know are passed over.</summary>
        public const byte FirstIgnored = 0x40;

        public const int HeaderBytes = 16;

        /// <summary>The longest frame that is read.</summary>
        public const int MostBytes = HeaderBytes + (1 << 20);

        private const byte Urgent = 0x01, Expires = 0x02, Kinds = 0x04;

        private static readonly DateTimeOffset Epoch = new DateTimeOffset(1970, 1, 1, 0, 0, 0, TimeSpan.Zero);

        /// <summary>Dates before are numbers in another unit; a later one than the last of 9999 there is not.</summary>
        private static readonly DateTimeOffset FirstDate = new DateTimeOffset(2001, 1, 1, 0, 0, 0, TimeSpan.Zero);

        public static uint GetUInt32(byte[] bytes, int offset) {
            return (uint)(bytes[offset] << 24 | bytes[offset + 1] << 16 | bytes[offset + 2] << 8 | bytes[offset + 3]);
        }

        public static long Seq(byte[] bytes, int offset)
            => (long)GetUInt32(bytes, offset + 8) << 32 | GetUInt32(bytes, offset + 12);

        /// <summary>The length of the frame at an offset; 0 if it is not all there yet.</summary>
        /// <exception cref="FormatException">The length is not one that a frame may have.</exception>
        public static int Length(byte[] bytes, int offset, int end) {
            long length = end - offset < 4 ? HeaderBytes : 4L + GetUInt32(bytes, offset);
            if (length < HeaderBytes || length > MostBytes) {
                throw new FormatException("no frame has " + length + " bytes");
            }
            return length > end - offset ? 0 : (int)length;
        }

        /// <summary>A whole frame.</summary>
        public static byte[] Encode(byte type, long seq, string body) {
            byte[] text = Encoding.UTF8.GetBytes(body);
            var frame = new byte[HeaderBytes + text.Length];
            PutHeader(frame, 0, type, 0, seq, text.Length);
            text.CopyTo(frame, HeaderBytes);
            return frame;
        }

        /// <summary>The frame that opens a session, or an outbox; what is null, or false, is left out.</summary>
        public static byte[] EncodeHello(string app, string token, string producer, bool outcomes, long? acked) {
            return Encode(
                Hello, 0, "{\"v\":1,\"role\":\"publisher\",\"app\":" + Json.Quote(app)
                + (token == null ? "" : ",\"token\":" + Json.Quote(token)) + ",\"producer\":" + Json.Quote(producer)
                + (outcomes ? ",\"outcomes\":true" : "") + (acked == null ? "" : ",\"acked\":" + acked) + "}");
        }

        /// <summary>The length of what stands before the payload of a push: its date and kinds.</summary>
        public static int PrefixBytes(PushSettings settings) {
            if (settings.ExpiresAt is DateTimeOffset date && date < FirstDate) {
                throw new ArgumentException(
                    "ExpiresAt is " + date.ToString("u") + ", which is no date from 2001 to 9999; was it made from a "
                    + "number that is not in milliseconds since 1970?");
            }
            int length = settings.ExpiresAt.HasValue ? 8 : 0;
            return settings.Kinds == null ? length : length + 2 + KindsBytes(settings);
        }

        private static int KindsBytes(PushSettings settings) {
            int length = 0;
            for (int index = 0; index < settings.Kinds.Count; index++) {
                int name = Encoding.UTF8.GetByteCount(settings.Kinds[index]);
                if (name < 1 || name > 128) {
                    throw new ArgumentException("a kind has 1 to 128 bytes");
                }
                length += 1 + name;
            }
            if (length > 0xffff) {
                throw new ArgumentException("the kinds have more than 65,535 bytes");
            }
            return length;
        }

        /// <summary>Writes a PUSH up to its payload of some bytes; returns the offset of the payload.</summary>
        public static int PutPush(byte[] bytes, int start, long seq, PushSettings settings, int prefix, int payload) {
            int flags = (settings.Urgent ? Urgent : 0) | (settings.ExpiresAt.HasValue ? Expires : 0)
                | (settings.Kinds != null ? Kinds : 0);
            PutHeader(bytes, start, Push, (byte)flags, seq, prefix + payload);
            int offset = start + HeaderBytes;
            int end = offset + prefix;
            if (settings.ExpiresAt is DateTimeOffset date) {
                PutInt64(bytes, offset, (date - Epoch).Ticks / TimeSpan.TicksPerMillisecond);
                offset += 8;
            }
            if (settings.Kinds != null) {
                bytes[offset] = (byte)(end - offset - 2 >> 8);
                bytes[offset + 1] = (byte)(end - offset - 2);
                offset += 2;
                for (int index = 0; index < settings.Kinds.Count; index++) {
                    string kind = settings.Kinds[index];
                    bytes[offset] = (byte)Encoding.UTF8.GetBytes(kind, 0, kind.Length, bytes, offset + 1);
                    offset += 1 + bytes[offset];
                }
            }
            return end;
        }

        private static void PutHeader(byte[] bytes, int offset, byte type, byte flags, long seq, int body) {
            PutInt64(bytes, offset, (long)(HeaderBytes - 4 + body) << 32 | (uint)type << 24 | (uint)flags << 16);
            PutInt64(bytes, offset + 8, seq);
        }

        private static void PutInt64(byte[] bytes, int offset, long value) {
            for (int index = 0; index < 8; index++) {
                bytes[offset + index] = (byte)(value >> 56 - 8 * index);
            }
        }
    }
}
