using System;
using System.Buffers.Binary;
using System.IO;
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

        private const int MostKindBytes = 128;

        private const byte Urgent = 0x01, Expires = 0x02, Kinds = 0x04;

        /// <summary>Dates before are numbers in another unit; a later one than the last of 9999 there is not.</summary>
        private static readonly DateTimeOffset FirstDate = new DateTimeOffset(2001, 1, 1, 0, 0, 0, TimeSpan.Zero);

        /// <summary>The length of the whole frame that begins at an offset.</summary>
        public static int Length(byte[] bytes, int offset)
            => 4 + BinaryPrimitives.ReadInt32BigEndian(bytes.AsSpan(offset));

        public static long Seq(byte[] bytes, int offset)
            => BinaryPrimitives.ReadInt64BigEndian(bytes.AsSpan(offset + 8));

        /// <summary>Reads a frame to the front of some bytes; returns its length, 0 if the input ends before.</summary>
        /// <exception cref="FormatException">The length is not one that a frame may have.</exception>
        public static int Read(Stream input, byte[] frame) {
            int length = HeaderBytes;
            for (int end = 0; end < length;) {
                int count = input.Read(frame, end, length - end);
                if (count == 0) {
                    return 0;
                }
                end += count;
                length = end >= 4 ? Length(frame, 0) : length;
                if (length < HeaderBytes || length > frame.Length) {
                    throw new FormatException("the peer is probably no router: no frame has " + length + " bytes");
                }
            }
            return length;
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

        /// <summary>The most bytes that a PUSH has before its payload: its header, date and kinds.</summary>
        public static int MostBeforePayload(PushSettings settings)
            => HeaderBytes + 8 + 2 + (1 + MostKindBytes) * (settings.Kinds?.Count ?? 0);

        /// <summary>Writes a PUSH up to its payload of some bytes; returns the offset of the payload.</summary>
        public static int PutPush(byte[] bytes, int start, long seq, PushSettings settings, int payload) {
            int flags = settings.Urgent ? Urgent : 0;
            int offset = start + HeaderBytes;
            if (settings.ExpiresAt is DateTimeOffset date) {
                if (date < FirstDate) {
                    throw new ArgumentException(
                        "ExpiresAt is " + date.ToString("u") + ", which is no date from 2001 to 9999; was it made from "
                        + "a number that is not in milliseconds since 1970?");
                }
                flags |= Expires;
                BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(offset), date.ToUnixTimeMilliseconds());
                offset += 8;
            }
            if (settings.Kinds != null) {
                flags |= Kinds;
                int first = offset + 2;
                offset = first;
                for (int index = 0; index < settings.Kinds.Count; index++) {
                    string kind = settings.Kinds[index];
                    int length = Encoding.UTF8.GetByteCount(kind);
                    if (length < 1 || length > MostKindBytes || offset + 1 + length - first > 0xffff) {
                        throw new ArgumentException("a kind has 1 to 128 bytes, and all together at most 65,535");
                    }
                    bytes[offset] = (byte)length;
                    offset += 1 + Encoding.UTF8.GetBytes(kind, 0, kind.Length, bytes, offset + 1);
                }
                BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(first - 2), (ushort)(offset - first));
            }
            PutHeader(bytes, start, Push, flags, seq, offset - start - HeaderBytes + payload);
            return offset;
        }

        private static void PutHeader(byte[] bytes, int offset, int type, int flags, long seq, int body) {
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(offset), HeaderBytes - 4 + body);
            BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(offset + 4), type << 24 | flags << 16);
            BinaryPrimitives.WriteInt64BigEndian(bytes.AsSpan(offset + 8), seq);
        }
    }
}
