package dev.millrace.scheduler.eventhandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.expression.EvaluationFailed;
import dev.millrace.scheduler.expression.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MessagesTest {
    private static final JsonValue MESSAGE =
            JsonValue.of("{\"n\":7,\"text\":\"a\\\"b\",\"detail\":{\"list\":[1,2]},\"json\":\"{\\\"x\\\":1}\"}");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":[true,null]} | {\"a\":1,\"b\":[true,null]}",
                "{\"a\":\"${n}\"} | {\"a\":7}",
                "{\"a\":\"no. ${n} of ${text}\"} | {\"a\":\"no. 7 of a\\\"b\"}",
                "{\"a\":[\"${detail}\",[\"${detail.list}\"]]} | {\"a\":[{\"list\":[1,2]},[[1,2]]]}",
                "{\"a\":\"${$.n}\"} | {\"a\":7}",
                "{\"${n}\":\"${missing}\"} | {\"${n}\":null}",
                "{\"a\":\"${json}\"} | {\"a\":\"{\\\"x\\\":1}\"}",
            })
    void fillsInValuesWithTheirTypes(String template, String filled) {
        assertThat(Messages.fill(JsonValue.of(template), MESSAGE, 1_000).text()).isEqualTo(filled);
    }

    @Test
    void expandsTextsThatAreJson() {
        JsonValue filled = Messages.fill(JsonValue.of("{\"a\":\"${json.x}\"}"), Messages.expand(MESSAGE), 1_000);

        assertThat(filled.text()).isEqualTo("{\"a\":1}");
    }

    @Test
    void stopsWhereTheResultBecomesTooLarge() {
        JsonValue template = JsonValue.of("[\"${text}\",\"${text}\",\"${text}\"]");

        assertThatThrownBy(() -> Messages.fill(template, MESSAGE, 15))
                .isInstanceOf(EvaluationFailed.class)
                .hasMessageContaining("larger than the limit of 15 bytes");
    }
}
