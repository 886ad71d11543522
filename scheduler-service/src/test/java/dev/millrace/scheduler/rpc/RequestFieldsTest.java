package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.Violations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFieldsTest {
    private static final int BYTES_MAX = 10;

    private final Violations violations = new Violations();

    @Test
    void decodesTextsOfTheLargestSize() {
        assertThat(RequestFields.text("f", ByteString.copyFromUtf8("äöü \uD83D\uDE80"), BYTES_MAX + 1, violations))
                .contains("äöü \uD83D\uDE80");
        violations.throwIfAny();
    }

    /** A byte that begins nothing, a sequence that is too long for its character, half a surrogate pair, a cut text. */
    @ParameterizedTest
    @ValueSource(strings = {"ff", "c0af", "eda080", "61c3"})
    void refusesBytesThatAreNotUtf8(String hex) {
        assertThat(RequestFields.text("f", ByteString.fromHex(hex), BYTES_MAX, violations))
                .isEmpty();
        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("is not UTF-8");
    }

    @Test
    void refusesNul() {
        RequestFields.text("f", ByteString.copyFromUtf8("a\0b"), BYTES_MAX, violations);

        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("NUL");
    }

    @Test
    void refusesTextsThatAreTooLarge() {
        assertThat(RequestFields.text("f", ByteString.copyFromUtf8("12345678901"), BYTES_MAX, violations))
                .isEmpty();
        assertThatThrownBy(violations::throwIfAny).hasMessageContaining("expected: at most 10");
    }
}
