using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace ReloadRouter.Client
{
    /// <summary>
    /// Reads and writes JSON as dictionaries, lists, strings, numbers, booleans and null. Whole
    /// numbers are read as <c>long</c>, others as <c>double</c>.
    /// </summary>
    internal sealed class Json
    {
        private const int MostLevels = 100;

        private readonly string text;
        private int position;

        private Json(string text)
        {
            this.text = text;
        }

        /// <summary>The value of a text; throws <c>FormatException</c> if it is not JSON.</summary>
        public static object Parse(string text)
        {
            var json = new Json(text);
            object value = json.Value(1);
            if (json.Next() != '\0')
            {
                throw json.Wrong();
            }
            return value;
        }

        /// <summary>The value as JSON without spaces.</summary>
        public static string Write(object value)
        {
            var output = new StringBuilder();
            Write(value, output);
            return output.ToString();
        }

        /// <summary>A whole number that an object has under a name, or another one.</summary>
        public static long Number(Dictionary<string, object> body, string name, long otherwise)
        {
            return body.TryGetValue(name, out object value) && value is long number ? number : otherwise;
        }

        /// <summary>A text that an object has under a name, or another one.</summary>
        public static string Text(Dictionary<string, object> body, string name, string otherwise)
        {
            return body.TryGetValue(name, out object value) && value is string text ? text : otherwise;
        }

        private static void Write(object value, StringBuilder output)
        {
            if (value is IDictionary map)
            {
                char before = '{';
                foreach (DictionaryEntry entry in map)
                {
                    output.Append(before);
                    Write((string)entry.Key, output);
                    Write(entry.Value, output.Append(':'));
                    before = ',';
                }
                output.Append(map.Count == 0 ? "{}" : "}");
            }
            else if (value is string text)
            {
                Write(text, output);
            }
            else if (value is IEnumerable list)
            {
                char before = '[';
                foreach (object element in list)
                {
                    Write(element, output.Append(before));
                    before = ',';
                }
                output.Append(before == '[' ? "[]" : "]");
            }
            else if (value is bool flag)
            {
                output.Append(flag ? "true" : "false");
            }
            else if (value is double number)
            {
                output.Append(number.ToString("R", CultureInfo.InvariantCulture));
            }
            else
            {
                output.Append(value == null ? "null" : Convert.ToString(value, CultureInfo.InvariantCulture));
            }
        }

        private static void Write(string text, StringBuilder output)
        {
            output.Append('"');
            foreach (char c in text)
            {
                if (c == '"' || c == '\\')
                {
                    output.Append('\\').Append(c);
                }
                else if (c < ' ' || char.IsSurrogate(c))
                {
                    output.Append("\\u").Append(((int)c).ToString("x4"));
                }
                else
                {
                    output.Append(c);
                }
            }
            output.Append('"');
        }

        private object Value(int level)
        {
            if (level > MostLevels)
            {
                throw Wrong();
            }
            switch (Next())
            {
                case '{': return Map(level);
                case '[': return List(level);
                case '"': return String();
            }
            int start = position;
            while (position < text.Length && ",]} \t\r\n".IndexOf(text[position]) < 0)
            {
                position++;
            }
            return Literal(text.Substring(start, position - start));
        }

        private object Literal(string word)
        {
            switch (word)
            {
                case "true": return true;
                case "false": return false;
                case "null": return null;
            }
            if (long.TryParse(word, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out long whole))
            {
                return whole;
            }
            if (double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out double number))
            {
                return number;
            }
            throw Wrong();
        }

        private Dictionary<string, object> Map(int level)
        {
            var map = new Dictionary<string, object>();
            position++;
            if (Next() == '}')
            {
                position++;
                return map;
            }
            do
            {
                if (Next() != '"')
                {
                    throw Wrong();
                }
                string key = String();
                if (Next() != ':')
                {
                    throw Wrong();
                }
                position++;
                map[key] = Value(level + 1);
            }
            while (HasMore('}'));
            return map;
        }

        private List<object> List(int level)
        {
            var list = new List<object>();
            position++;
            if (Next() == ']')
            {
                position++;
                return list;
            }
            do
            {
                list.Add(Value(level + 1));
            }
            while (HasMore(']'));
            return list;
        }

        private string String()
        {
            var output = new StringBuilder();
            position++;
            while (true)
            {
                char c = Character();
                if (c == '"')
                {
                    return output.ToString();
                }
                output.Append(c == '\\' ? Escaped(Character()) : c);
            }
        }

        private char Escaped(char c)
        {
            switch (c)
            {
                case 'n': return '\n';
                case 't': return '\t';
                case 'r': return '\r';
                case 'b': return '\b';
                case 'f': return '\f';
                case 'u':
                    position += 4;
                    if (position > text.Length || !ushort.TryParse(
                        text.Substring(position - 4, 4), NumberStyles.AllowHexSpecifier,
                        CultureInfo.InvariantCulture, out ushort code))
                    {
                        throw Wrong();
                    }
                    return (char)code;
                default: return c;
            }
        }

        private char Character()
        {
            if (position == text.Length)
            {
                throw Wrong();
            }
            return text[position++];
        }

        /// <summary>The next character that is no space, which stays to be read; NUL at the end.</summary>
        private char Next()
        {
            while (position < text.Length && " \t\r\n".IndexOf(text[position]) >= 0)
            {
                position++;
            }
            return position < text.Length ? text[position] : '\0';
        }

        private bool HasMore(char end)
        {
            char c = Next();
            position++;
            if (c != ',' && c != end)
            {
                throw Wrong();
            }
            return c == ',';
        }

        private FormatException Wrong()
        {
            return new FormatException("not JSON at character " + (position + 1));
        }
    }
}
