package dev.millrace.text.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Splits a script into statements and finds their parameters. Knows of SQL what hides semicolons and parameters: quotes and
 * comments. Sources: the chapters on lexical structure in the manuals of PostgreSQL 18 and MySQL 8.4, and the
 * page "SQL As Understood By SQLite".
 */
public final class SqlText {
    private static final Pattern TRIGGER =
            Pattern.compile("create\\s+(?:temp(?:orary)?\\s+)?trigger\\s", Pattern.CASE_INSENSITIVE);
    private static final Pattern TRIGGER_END = Pattern.compile(";\\s*end\\s*$", Pattern.CASE_INSENSITIVE);
    private static final int TRIGGER_END_CHARS_MAX = 100;

    private final String source;
    private final SqlDialect dialect;
    private final SqlDeclarations declarations;
    private final List<SqlStatement> statements = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private List<SqlParameter> parameters = new ArrayList<>();
    private boolean hasCode;
    private int codeBegin;
    /** Line of the character at {@link #lineAt}. */
    private int line = 1;

    private int lineAt;
    private int at;

    private SqlText(String source, SqlDialect dialect) {
        this.source = source;
        this.dialect = dialect;
        this.declarations = SqlDeclarations.read(source);
    }

    /**
     * Returns the statements of a script, which may be none.
     *
     * @throws SqlTextException if a parameter of the script has no name
     */
    public static List<SqlStatement> split(String source, SqlDialect dialect) {
        SqlText reader = new SqlText(source, dialect);
        while (reader.at < source.length()) {
            reader.next();
        }
        reader.endStatement();
        return reader.statements;
    }

    private void next() {
        char c = source.charAt(at);
        int end = hiddenEnd(c);
        if (end > at) {
            if (!isComment(c)) {
                noteCode();
            }
            text.append(source, at, end);
            at = end;
        } else if (c == ';' && isInTrigger()) {
            text.append(c);
            at++;
        } else if (c == ';') {
            endStatement();
            at++;
        } else {
            if (!Character.isWhitespace(c)) {
                noteCode();
            }
            code(c);
        }
    }

    /** Whether the text before a semicolon is an unfinished trigger of SQLite, which ends in {@code ; END}. */
    private boolean isInTrigger() {
        return dialect == SqlDialect.SQLITE
                && hasCode
                && TRIGGER.matcher(source).region(codeBegin, at).lookingAt()
                && !TRIGGER_END
                        .matcher(text.substring(Math.max(0, text.length() - TRIGGER_END_CHARS_MAX)))
                        .find();
    }

    private void noteCode() {
        if (!hasCode) {
            hasCode = true;
            codeBegin = at;
        }
    }

    private void endStatement() {
        if (hasCode) {
            line += (int) source.substring(lineAt, codeBegin)
                    .chars()
                    .filter(c -> c == '\n')
                    .count();
            lineAt = codeBegin;
            statements.add(new SqlStatement(
                    text.toString().strip(), parameters, source.substring(codeBegin, wordEnd(codeBegin)), line));
        }
        text.setLength(0);
        parameters = new ArrayList<>();
        hasCode = false;
    }

    /** Where the quotes or the comment that begin here end; here if none begin. */
    private int hiddenEnd(char c) {
        if (c == '\'') {
            return quoteEnd(c, dialect == SqlDialect.MYSQL || isEscapeString());
        }
        if (c == '"') {
            return quoteEnd(c, dialect == SqlDialect.MYSQL);
        }
        if (c == '`' && dialect != SqlDialect.POSTGRESQL) {
            return quoteEnd(c, false);
        }
        if (c == '[' && dialect == SqlDialect.SQLITE) {
            int end = source.indexOf(']', at);
            return end < 0 ? source.length() : end + 1;
        }
        if (source.startsWith("--", at) || (c == '#' && dialect == SqlDialect.MYSQL)) {
            int end = source.indexOf('\n', at);
            return end < 0 ? source.length() : end;
        }
        if (source.startsWith("/*", at)) {
            return commentEnd();
        }
        return c == '$' && dialect == SqlDialect.POSTGRESQL && !isInWord() ? dollarEnd() : at;
    }

    private boolean isComment(char c) {
        return c == '-' || c == '/' || c == '#';
    }

    /** Whether these quotes follow {@code E}, which lets backslashes escape. */
    private boolean isEscapeString() {
        return at > 0
                && (source.charAt(at - 1) == 'E' || source.charAt(at - 1) == 'e')
                && (at == 1 || !isWord(source.charAt(at - 2)));
    }

    private int quoteEnd(char quote, boolean escapes) {
        int end = at + 1;
        while (end < source.length()) {
            char c = source.charAt(end);
            if (c == '\\' && escapes) {
                end++;
            } else if (c == quote) {
                if (end + 1 == source.length() || source.charAt(end + 1) != quote) {
                    return end + 1;
                }
                end++;
            }
            end++;
        }
        return source.length();
    }

    private int commentEnd() {
        int depth = 1;
        int end = at + 2;
        while (end < source.length()) {
            if (source.startsWith("*/", end)) {
                end += 2;
                depth--;
                if (depth == 0) {
                    return end;
                }
            } else if (dialect == SqlDialect.POSTGRESQL && source.startsWith("/*", end)) {
                end += 2;
                depth++;
            } else {
                end++;
            }
        }
        return source.length();
    }

    /** The end of text between {@code $tag$}; here if this is no such quote. */
    private int dollarEnd() {
        int tagEnd = wordEnd(at + 1);
        boolean isTag =
                tagEnd < source.length() && source.charAt(tagEnd) == '$' && !Character.isDigit(source.charAt(at + 1));
        if (!isTag) {
            return at;
        }
        String tag = source.substring(at, tagEnd + 1);
        int end = source.indexOf(tag, tagEnd + 1);
        return end < 0 ? source.length() : end + tag.length();
    }

    /** Takes a piece of code: a parameter, or characters that go to the database. */
    private void code(char c) {
        int nameEnd = c == ':' || c == '$' ? wordEnd(at + 1) : at + 1;
        String name = source.substring(at + 1, nameEnd);
        if (c == ':' && source.startsWith("::", at)) {
            text.append("::");
            at += 2;
        } else if (c == ':' && !name.isEmpty() && !Character.isDigit(name.charAt(0)) && !isInWord()) {
            parameter(declarations.named(name), nameEnd);
        } else if (c == '$' && dialect == SqlDialect.POSTGRESQL && name.matches("[1-9][0-9]{0,4}") && !isInWord()) {
            parameter(declarations.numbered(Integer.parseInt(name)), nameEnd);
        } else if (c == '?' && dialect != SqlDialect.POSTGRESQL) {
            parameter(declarations.nextPositional(), at + 1);
        } else if (dialect == SqlDialect.SQLITE && (c == '$' || c == '@') && !isInWord()) {
            throw new SqlTextException(
                    "The script has a parameter that begins with \"" + c + "\": write :NAME, where NAME is an input.");
        } else {
            // JDBC reads two question marks as one that is no parameter.
            text.append(c == '?' ? "??" : String.valueOf(c));
            at++;
        }
    }

    private void parameter(SqlParameter parameter, int end) {
        boolean isCast = dialect == SqlDialect.POSTGRESQL && !parameter.type().isEmpty();
        text.append(isCast ? "CAST(? AS " + parameter.type() + ")" : "?");
        parameters.add(parameter);
        at = end;
    }

    private int wordEnd(int begin) {
        int end = begin;
        while (end < source.length() && isWord(source.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Whether the character before this one belongs to a word, as in {@code a[1:n]}. */
    private boolean isInWord() {
        return at > 0 && isWord(source.charAt(at - 1));
    }

    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
