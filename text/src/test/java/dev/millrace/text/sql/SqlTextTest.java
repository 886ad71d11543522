package dev.millrace.text.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlTextTest {
    @ParameterizedTest
    @CsvSource(
            delimiterString = " | ",
            quoteCharacter = '~',
            value = {
                "select :a | select ? | a",
                "select :a::int | select ?::int | a",
                "select a::text | select a::text | ~~",
                "select ':a', \":b\" | select ':a', \":b\" | ~~",
                "select 'it''s :a', :b | select 'it''s :a', ? | b",
                "select E'\\':a', :b | select E'\\':a', ? | b",
                "select '\\', :b | select '\\', ? | b",
                "select $$:a;$$, :b | select $$:a;$$, ? | b",
                "select $x$ $$ :a $x$, :b | select $x$ $$ :a $x$, ? | b",
                "select /* :a /* ; */ :b */ :c | select /* :a /* ; */ :b */ ? | c",
                "select x[1:n], x[:a] | select x[1:n], x[?] | a",
                "select j ? 'k' | select j ?? 'k' | ~~",
                "select a$1 | select a$1 | ~~",
                "select :a, :b, :a | select ?, ?, ? | a b a",
            })
    void findsParametersOfPostgres(String source, String text, String names) {
        SqlStatement only = SqlText.split(source, SqlDialect.POSTGRESQL).get(0);

        assertThat(only.text()).isEqualTo(text);
        assertThat(String.join(" ", names(only))).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " | ",
            quoteCharacter = '~',
            value = {
                "select '\\':a', :b | select '\\':a', ? | b",
                "select \"\\\":a\", :b | select \"\\\":a\", ? | b",
                "select `:a`, :b | select `:a`, ? | b",
                "select /* /* */ :b | select /* /* */ ? | b",
                "select $$, :b | select $$, ? | b",
            })
    void findsParametersOfMysql(String source, String text, String names) {
        SqlStatement only = SqlText.split(source, SqlDialect.MYSQL).get(0);

        assertThat(only.text()).isEqualTo(text);
        assertThat(String.join(" ", names(only))).isEqualTo(names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " | ",
            quoteCharacter = '~',
            value = {
                "select '\\', :a | select '\\', ? | a",
                "select [:a], `:b`, \":c\", :d | select [:a], `:b`, \":c\", ? | d",
                "select /* /* */ :b -> '$.x' | select /* /* */ ? -> '$.x' | b",
            })
    void findsParametersOfSqlite(String source, String text, String names) {
        SqlStatement only = SqlText.split(source, SqlDialect.SQLITE).get(0);

        assertThat(only.text()).isEqualTo(text);
        assertThat(String.join(" ", names(only))).isEqualTo(names);
    }

    @Test
    void readsTheDeclarationsOfWindmill() {
        String source = """
                -- $1 id (int)
                -- $2 note = 'it''s new'
                -- $3 tags (text[]) = ["a"]
                update t set note = $2, tags = $3 where id = $1
                """;

        SqlStatement only = SqlText.split(source, SqlDialect.POSTGRESQL).get(0);

        assertThat(only.text()).contains("note = ?, tags = CAST(? AS text[]) where id = CAST(? AS int)");
        assertThat(names(only)).containsExactly("note", "tags", "id");
        assertThat(only.parameters().get(0).defaultValue()).contains("'it''s new'");
    }

    @Test
    void readsTheQuestionMarksOfMysqlInTheirOrder() {
        String source = "-- ? a (int)\n-- ? b = 2\nselect ?, '?', ? # ?\n";

        assertThat(names(SqlText.split(source, SqlDialect.MYSQL).get(0))).containsExactly("a", "b");
        assertThatThrownBy(() -> SqlText.split("-- ? a\nselect ?, ?", SqlDialect.MYSQL))
                .isInstanceOf(SqlTextException.class)
                .hasMessageContaining("more than 1 places");
    }

    @Test
    void saysWhichNumberHasNoName() {
        assertThatThrownBy(() -> SqlText.split("select $2", SqlDialect.POSTGRESQL))
                .isInstanceOf(SqlTextException.class)
                .hasMessageContaining("add the line \"-- $2 NAME\"");
    }

    @Test
    void splitsStatementsAndKnowsTheirLines() {
        String source = "-- first;\n\ninsert into t values (';');\n\n;\n/* c */ select 1;\n-- the end\n";

        List<SqlStatement> statements = SqlText.split(source, SqlDialect.POSTGRESQL);

        assertThat(statements).extracting(SqlStatement::line).containsExactly(3, 6);
        assertThat(statements.get(statements.size() - 1).text()).endsWith("select 1");
        assertThat(SqlText.split("-- nothing\n ; ", SqlDialect.POSTGRESQL)).isEmpty();
    }

    /** Texts of awkward pieces: what is no parameter and no end stays as it is, and reading always ends. */
    @Test
    void keepsAllOtherText() {
        String[] pieces = {"'", "\"", "$", "$a$", "--", "/*", "*/", "\n", "\\", "E'", ":", "::", "x", "`", "#", " "};
        Random random = new Random(20);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder source = new StringBuilder("s");
            for (int i = random.nextInt(12); i >= 0; i--) {
                source.append(pieces[random.nextInt(pieces.length)]);
            }
            for (SqlDialect dialect : SqlDialect.values()) {
                if (dialect == SqlDialect.SQLITE && source.indexOf("$") >= 0) {
                    continue; // Refused, as it may begin a parameter.
                }
                List<SqlStatement> statements = SqlText.split(source.toString(), dialect);
                boolean hasParameters = !statements.get(0).parameters().isEmpty();
                if (!hasParameters) {
                    assertThat(statements.get(0).text())
                            .as("%s", source)
                            .isEqualTo(source.toString().strip());
                }
            }
        }
    }

    /** Takes minutes if the time grows with the square of the length. */
    @Test
    void readsLongScriptsOnce() {
        String source = "x".repeat(1 << 20) + ";" + "x;\n".repeat(200_000) + "$a ".repeat(100_000);

        List<SqlStatement> statements = SqlText.split(source, SqlDialect.POSTGRESQL);

        assertThat(statements).hasSize(200_002);
        assertThat(statements.get(statements.size() - 1).line()).isEqualTo(200_001);
    }

    private static List<String> names(SqlStatement statement) {
        return statement.parameters().stream().map(SqlParameter::name).toList();
    }
}
