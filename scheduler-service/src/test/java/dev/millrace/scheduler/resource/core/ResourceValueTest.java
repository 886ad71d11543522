package dev.millrace.scheduler.resource.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceValueTest {
    @Test
    void putsSecretsInPlaceOfTheirReferences() {
        ResourceValue value = read("""
                {"host":"db","port":5432,"password":"${{ secrets.shop.pw }}","url":"p://u:${{ secrets.shop.pw }}@db",
                 "list":["$${{ plain","${{ secrets.other }}",null]}""");

        assertThat(value.secrets()).containsExactlyInAnyOrder("shop/pw", "other");
        assertThat(value.resolve(path -> "<\"" + path + "\">"))
                .hasToString("{\"host\":\"db\",\"port\":5432,\"password\":\"<\\\"shop/pw\\\">\","
                        + "\"url\":\"p://u:<\\\"shop/pw\\\">@db\",\"list\":[\"${{ plain\",\"<\\\"other\\\">\",null]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"${{ resources.a }}", "${{ inputs.x }}", "${{ 1 + 1 }}", "${{ secrets.a + 1 }}", "${{ secrets.a"
            })
    void rejectsOtherExpressions(String text) {
        assertThat(ResourceValue.read(JsonValue.ofString(text))).isInstanceOf(ResourceValue.Reading.Unreadable.class);
    }

    @Test
    void doesNotReadValuesOfSecretsAgain() {
        ResourceValue value = read("{\"a\":\"${{ secrets.a }}\"}");

        assertThat(value.resolve(_ -> "${{ secrets.b }}")).hasToString("{\"a\":\"${{ secrets.b }}\"}");
    }

    private static ResourceValue read(String json) {
        return switch (ResourceValue.read(JsonValue.of(json))) {
            case ResourceValue.Reading.Read(ResourceValue value) -> value;
            case ResourceValue.Reading.Unreadable(String message) -> throw new AssertionError(message);
        };
    }
}
