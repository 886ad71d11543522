package dev.millrace.scheduler.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.identity.core.TokenKind;
import dev.millrace.scheduler.identity.core.TokenText;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TokenTextTest {
    private final Random random = new Random(20261124);

    @ParameterizedTest
    @EnumSource
    void readsWhatItWrites(TokenKind kind) {
        TokenText token = TokenText.make(kind, random);

        assertThat(token.text()).matches("mr[uswgc]_[0-9A-Za-z]{38}");
        assertThat(TokenText.parse(token.text())).contains(token);
        assertThat(token.toString()).doesNotContain(token.text().substring(4));
    }

    @Test
    void refusesEachTextWithOneWrongCharacter() {
        String token = TokenText.make(TokenKind.USER, random).text();

        for (int index = 0; index < token.length(); index++) {
            for (char wrong : "0Az_-é\0".toCharArray()) {
                if (token.charAt(index) != wrong) {
                    String changed = token.substring(0, index) + wrong + token.substring(index + 1);
                    assertThat(TokenText.parse(changed)).as(changed).isEmpty();
                }
            }
        }
    }

    @Test
    void refusesTextsThatAreNoTokens() {
        assertThat(TokenText.parse("")).isEmpty();
        assertThat(TokenText.parse("mru_")).isEmpty();
        assertThat(TokenText.parse("x".repeat(42))).isEmpty();
        assertThat(TokenText.parse("x".repeat(100_000))).isEmpty();
    }
}
