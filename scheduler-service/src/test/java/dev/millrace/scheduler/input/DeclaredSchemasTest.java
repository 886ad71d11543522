package dev.millrace.scheduler.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.schema.SchemaInvalid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scripts in SQL, Bash and Go declare is checked; a test with real databases and compilers makes random ones. */
class DeclaredSchemasTest {
    private static final String ORDERS = """
            -- $1 customer (int)
            -- $2 since (date) = 2026-01-01
            -- $3 ids (int[]) = []
            select * from orders where customer = $1 and day > $2 and id = any($3) and note = :note;
            """;
    private static final String GREET = "name=\"$1\"\ncount=\"${2:-1}\"\nhome=\"${3:-$HOME}\"\n";
    private static final String PACK = """
            package inner

            import (
            	"context"
            	"time"
            )

            type Item struct {
            	Name string `json:"name"`
            	Next *Item  `json:"next"`
            }

            func main(ctx context.Context, items []Item, due *time.Time, count, limit uint) error { return nil }
            """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            postgresql | {"database": {}, "customer": "two", "note": 1} | The parameter "customer" is "two" (expected: a whole number or null). Change it.
            postgresql | {"database": {}, "note": 1} | The input lacks the key "customer": the script takes database, customer, since, ids, note. Add it.
            postgresql | {"customer": 1, "note": 1} | The input lacks the key "database": the script takes database, customer, since, ids, note. Add it.
            postgresql | {"database": "", "customer": 1, "note": 1, "ids": [1, true]} | The parameter "ids[1]" is true (expected: a whole number or null). Change it.
            bash | {} | The input lacks the key "name": the script takes name, count, home. Add it.
            bash | {"name": 1, "No": 2} | The input has a key that it cannot have: property 'No' name is not valid: does not match the regex pattern ^[a-z][A-Za-z0-9_]{0,99}$. Change it.
            go | {"items": [{"name": "a", "next": {"name": 3}}], "count": 1, "limit": 1} | The parameter "items[0].next.name" is 3 (expected: a string or null). Change it.
            go | {"items": [], "count": -1, "limit": 1} | The parameter "count" must be at least 0. Change it.
            go | {"items": [], "count": 1, "limit": 1, "other": 1} | The input has the key "other", which the script does not take: the script takes items, due, count, limit. Remove it, or correct its name.
            """)
    void aWrongInputIsRefusedWithTheNameOfTheParameter(String language, String input, String message)
            throws SchemaInvalid {
        assertThat(check(language).check(new Json(input)))
                .singleElement()
                .extracting(InputProblem::message)
                .isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            postgresql | {"database": {"host": "db"}, "customer": " 7", "note": {"a": 1}, "since": "yesterday", "more": 1}
            postgresql | {"database": "postgresql://db/shop", "customer": null, "note": null, "ids": "{1,2}"}
            bash | {"name": [1], "other": null}
            go | {"items": null, "due": "2026-01-31T00:00:00Z", "count": null, "limit": 18446744073709551615, "ctx": 1}
            """)
    void whatAJobTakesIsNoProblem(String language, String input) throws SchemaInvalid {
        assertThat(check(language).check(new Json(input))).isEmpty();
    }

    @Test
    void defaultsArePlainValues() {
        assertThat(schema("bash", GREET)).contains("\"count\":{\"contentMediaType\":\"text/plain\",\"default\":\"1\"}");
        assertThat(schema("bash", GREET)).contains("\"home\":{\"contentMediaType\":\"text/plain\"}");
        assertThat(schema("postgresql", ORDERS))
                .contains("\"since\":{\"format\":\"date\",\"description\":\"date\",\"default\":\"2026-01-01\"}");
    }

    @Test
    void whatIsNotCertainHasNoSchema() {
        assertThat(DeclaredSchemas.of(new Language("go"), "package main\nfunc main(a int) {}"))
                .as("a program reads its input itself")
                .isEmpty();
        assertThat(DeclaredSchemas.of(new Language("go"), "package inner\nfunc main(int) {}"))
                .isEmpty();
        assertThat(DeclaredSchemas.of(new Language("postgresql"), "select $1")).isEmpty();
        assertThat(DeclaredSchemas.of(new Language("bash"), "A=\"$1\"\n")).isEmpty();
        assertThat(DeclaredSchemas.of(Language.PYTHON, "def main(a): pass")).isEmpty();
        assertThat(DeclaredSchemas.of(new Language("bash"), " ".repeat(DeclaredSchemas.SOURCE_CHARS_MAX + 1)))
                .isEmpty();
    }

    /** Each takes minutes if its time grows faster than its text. */
    @ParameterizedTest
    @CsvSource({
        "bash, 'a=$1 ', 'a=\"${1:-', ' '",
        "postgresql, '-- :a ', '-- :a = x', ' '",
        "go, 'package a; func main(a ', '[]', '(*'",
    })
    void aTextIsReadInTheTimeOfItsLength(String language, String begin, String middle, String end) {
        int count = DeclaredSchemas.SOURCE_CHARS_MAX / (begin.length() + middle.length() + end.length()) / 4;
        String source = begin.repeat(count) + begin + middle.repeat(count) + end.repeat(count);

        assertThat(DeclaredSchemas.of(new Language(language), source + "\n")).isNotNull();
        String deep = "package a\nfunc main(x T0) {}\n" + types(40);
        assertThat(DeclaredSchemas.of(new Language("go"), deep))
                .as("its schema is too large")
                .isEmpty();
    }

    private static String types(int count) {
        StringBuilder types = new StringBuilder();
        for (int index = 0; index < count; index++) {
            types.append("type T%d []struct { A, B T%d; C T%d }%n".formatted(index, index + 1, index + 1));
        }
        return types.toString();
    }

    private static String schema(String language, String source) {
        return DeclaredSchemas.of(new Language(language), source)
                .orElseThrow()
                .schema()
                .text();
    }

    private static ScriptInputCheck check(String language) throws SchemaInvalid {
        String source = language.equals("go") ? PACK : language.equals("bash") ? GREET : ORDERS;
        return ScriptInputCheck.of(
                DeclaredSchemas.of(new Language(language), source).orElseThrow());
    }
}
