package io.github.reloadrouter;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes JSON as {@link Map}, {@link List}, {@link String}, {@link Number}, {@link
 * Boolean} and null. Whole numbers are read as {@link Long}.
 */
final class Json {
    private static final int MOST_LEVELS = 100;

    private final String text;
    private int position;

    private Json(String text) {
        this.text = text;
    }

    /** Returns the value of a text; throws {@link IllegalArgumentException} if it is not JSON. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(1);
        if (json.next() != '\0') {
            throw json.wrong();
        }
        return value;
    }

    /** Returns the value as JSON without spaces. */
    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    /** Returns a whole number that an object has under a name, or another one. */
    static long number(Map<?, ?> body, String name, long otherwise) {
        return body.get(name) instanceof Long number ? number : otherwise;
    }

    /** Returns a text that an object has under a name, or another one. */
    static String text(Map<?, ?> body, String name, String otherwise) {
        return body.get(name) instanceof String text ? text : otherwise;
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> map) {
            char before = '{';
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(before);
                writeString(String.valueOf(entry.getKey()), out);
                write(entry.getValue(), out.append(':'));
                before = ',';
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Iterable<?> list) {
            char before = '[';
            for (Object element : list) {
                write(element, out.append(before));
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            writeString(value.toString(), out);
        }
    }

    private static void writeString(String string, StringBuilder out) {
        out.append('"');
        for (int index = 0; index < string.length(); index++) {
            char c = string.charAt(index);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private Object value(int level) {
        if (level > MOST_LEVELS) {
            throw wrong();
        }
        char c = next();
        if (c == '{') {
            return object(level);
        } else if (c == '[') {
            return list(level);
        } else if (c == '"') {
            return string();
        }
        int start = position;
        while (position < text.length() && ",]} \t\r\n".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        return literal(text.substring(start, position));
    }

    private Object literal(String word) {
        try {
            return switch (word) {
                case "true" -> true;
                case "false" -> false;
                case "null" -> null;
                default -> {
                    if (word.matches("-?[0-9]{1,18}")) {
                        yield Long.valueOf(word);
                    }
                    yield Double.valueOf(word);
                }
            };
        } catch (NumberFormatException e) {
            throw wrong();
        }
    }

    private Map<String, Object> object(int level) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (boolean more = begins('}'); more; more = hasMore('}')) {
            if (next() != '"') {
                throw wrong();
            }
            String key = string();
            expect(':');
            map.put(key, value(level + 1));
        }
        return map;
    }

    private List<Object> list(int level) {
        List<Object> list = new ArrayList<>();
        for (boolean more = begins(']'); more; more = hasMore(']')) {
            list.add(value(level + 1));
        }
        return list;
    }

    /** Passes over the beginning of a list or an object, and if it is empty over its end. */
    private boolean begins(char end) {
        position++;
        boolean isEmpty = next() == end;
        position += isEmpty ? 1 : 0;
        return !isEmpty;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        position++;
        while (true) {
            char c = character();
            if (c == '"') {
                return out.toString();
            } else if (c == '\\') {
                out.append(escaped(character()));
            } else {
                out.append(c);
            }
        }
    }

    private char escaped(char c) {
        if (c == 'u' && position + 4 <= text.length()) {
            position += 4;
            return (char) Integer.parseInt(text, position - 4, position, 16);
        } else if (c == 'u') {
            throw wrong();
        }
        int control = "ntrbf".indexOf(c);
        return control < 0 ? c : "\n\t\r\b\f".charAt(control);
    }

    private char character() {
        if (position == text.length()) {
            throw wrong();
        }
        return text.charAt(position++);
    }

    /** Returns the next character that is no space, without consuming it; NUL at the end. */
    private char next() {
        while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        return position < text.length() ? text.charAt(position) : '\0';
    }

    private void expect(char c) {
        if (next() != c) {
            throw wrong();
        }
        position++;
    }

    private boolean hasMore(char end) {
        char c = next();
        position++;
        if (c != ',' && c != end) {
            throw wrong();
        }
        return c == ',';
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("not JSON at character " + (position + 1));
    }
}
