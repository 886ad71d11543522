package dev.millrace.scheduler.secret.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.secret.core.Ciphertext;
import dev.millrace.scheduler.secret.core.SecretValue;
import dev.millrace.scheduler.secret.core.ValuePlace;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class KeysetTest {
    private static final UUID ID = UUID.fromString("00000000-0000-7000-8000-000000000001");
    private static final SecretValue VALUE = new SecretValue("correct horse");
    private static final ValuePlace PLACE = new ValuePlace(ID, "shop/key", 1);

    private final Keyset keys = Keyset.generate(ID);

    @Test
    void opensAValueOnlyAtItsPlace() {
        Ciphertext sealed = keys.seal(VALUE, PLACE);

        assertThat(keys.open(sealed, PLACE)).isEqualTo(VALUE);
        for (ValuePlace other : new ValuePlace[] {
            new ValuePlace(ID, "shop/other", 1),
            new ValuePlace(ID, "shop/key", 2),
            new ValuePlace(UUID.randomUUID(), "shop/key", 1)
        }) {
            assertThatThrownBy(() -> keys.open(sealed, other)).hasMessageContaining("does not belong there");
        }
    }

    @Test
    void isUnwrappedOnlyByItsKeyAndForItsWorkspace() {
        WrappingKey first = KeyFiles.key("first", new byte[32]);
        byte[] bytes = new byte[32];
        bytes[0] = 1;
        WrappingKey second = KeyFiles.key("second", bytes);
        Ciphertext wrapped = keys.wrap(first);

        assertThat(Keyset.unwrap(ID, wrapped, first).dataKey()).isEqualTo(keys.dataKey());
        assertThatThrownBy(() -> Keyset.unwrap(ID, wrapped, second)).hasMessageContaining("second does not unwrap");
        assertThatThrownBy(() -> Keyset.unwrap(UUID.randomUUID(), wrapped, first))
                .hasMessageContaining("does not unwrap");
    }

    @Test
    void opensOldValuesUntilTheirKeyIsRemoved() {
        Ciphertext old = keys.seal(VALUE, PLACE);
        Keyset rotated = keys.withNewKey();

        assertThat(rotated.dataKey()).isNotEqualTo(keys.dataKey());
        assertThat(rotated.open(old, PLACE)).isEqualTo(VALUE);
        Ciphertext fresh = rotated.seal(VALUE, PLACE);
        Keyset reduced = rotated.withoutOldKeys();
        assertThat(reduced.size()).isEqualTo(1);
        assertThat(reduced.open(fresh, PLACE)).isEqualTo(VALUE);
        assertThatThrownBy(() -> reduced.open(old, PLACE)).hasMessageContaining("does not belong there");
    }

    @Test
    void recognizesAnotherKeyUnderTheSameId() {
        byte[] bytes = new byte[32];
        bytes[0] = 1;
        WrappingKey one = KeyFiles.key("0001", new byte[32]);

        assertThat(one.made(one.proof())).isTrue();
        assertThat(KeyFiles.key("0001", bytes).made(one.proof())).isFalse();
    }

    @Test
    void hidesValues() {
        assertThat(VALUE.toString()).doesNotContain("horse");
    }
}
