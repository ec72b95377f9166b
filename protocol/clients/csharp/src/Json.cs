using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace ReloadRouter.Client
{
    /// <summary>
    /// Reads JSON as dictionaries, lists, strings, numbers, booleans and null: whole numbers as
    /// <c>long</c>, others as <c>double</c>.
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
            json.Expect(json.Next() == '\0');
            return value;
        }

        /// <summary>A text as JSON.</summary>
        public static string Quote(string text)
        {
            var output = new StringBuilder("\"");
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
            return output.Append('"').ToString();
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

        private object Value(int level)
        {
            Expect(level <= MostLevels);
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
            Expect(double.TryParse(word, NumberStyles.Float, CultureInfo.InvariantCulture, out double number));
            return number;
        }

        private Dictionary<string, object> Map(int level)
        {
            var map = new Dictionary<string, object>();
            for (bool more = Begins('}'); more; more = HasMore('}'))
            {
                Expect(Next() == '"');
                string key = String();
                Expect(Next() == ':');
                position++;
                map[key] = Value(level + 1);
            }
            return map;
        }

        private List<object> List(int level)
        {
            var list = new List<object>();
            for (bool more = Begins(']'); more; more = HasMore(']'))
            {
                list.Add(Value(level + 1));
            }
            return list;
        }

        /// <summary>Passes over the beginning of a list or an object, and if it is empty over its end.</summary>
        private bool Begins(char end)
        {
            position++;
            bool isEmpty = Next() == end;
            position += isEmpty ? 1 : 0;
            return !isEmpty;
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
            if (c != 'u')
            {
                int control = "ntrbf".IndexOf(c);
                return control < 0 ? c : "\n\t\r\b\f"[control];
            }
            position += 4;
            Expect(position <= text.Length);
            Expect(ushort.TryParse(
                text.Substring(position - 4, 4), NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture,
                out ushort code));
            return (char)code;
        }

        private char Character()
        {
            Expect(position < text.Length);
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
            Expect(c == ',' || c == end);
            return c == ',';
        }

        private void Expect(bool isRight)
        {
            if (!isRight)
            {
                throw new FormatException("not JSON at character " + (position + 1));
            }
        }
    }
}
