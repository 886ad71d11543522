package dev.millrace.scheduler.identity.login.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimConditionsTest {
    private static final ClaimConditions MAIN =
            new ClaimConditions(Map.of("repository", "acme/shop", "ref", "refs/heads/main"));

    @Test
    void allConditionsMustBeMet() {
        assertThat(MAIN.areMetBy(Map.of("repository", "acme/shop", "ref", "refs/heads/main", "sub", "x")))
                .isTrue();
        assertThat(MAIN.areMetBy(Map.of("repository", "acme/shop", "ref", "refs/heads/other")))
                .isFalse();
        assertThat(MAIN.areMetBy(Map.of("repository", "acme/shop"))).isFalse();
    }

    @Test
    void valuesThatOnlyLookAlikeDoNotDo() {
        for (String repository : List.of("acme/shop2", "acme/sho", "ACME/shop", "evil/acme/shop", "acme/*", "")) {
            assertThat(MAIN.areMetBy(Map.of("repository", repository, "ref", "refs/heads/main")))
                    .as(repository)
                    .isFalse();
        }
    }

    @Test
    void flagsNumbersAndListsAreCompared() {
        assertThat(met("protected", "true", true)).isTrue();
        assertThat(met("protected", "true", false)).isFalse();
        assertThat(met("project", "42", 42L)).isTrue();
        assertThat(met("groups", "a", List.of("b", "a"))).isTrue();
        assertThat(met("groups", "a", List.of("ab"))).isFalse();
        assertThat(met("object", "{}", Map.of())).isFalse();
    }

    @Test
    void aMissingClaimMeetsNothing() {
        Map<String, Object> claims = new HashMap<>();
        claims.put("ref", null);

        assertThat(new ClaimConditions(Map.of("ref", "null")).areMetBy(claims)).isFalse();
    }

    @Test
    void aTrustWithoutConditionsIsNone() {
        assertThatThrownBy(() -> new ClaimConditions(Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("repository");
        assertThatThrownBy(() -> new ClaimConditions(Map.of("sub", " "))).isInstanceOf(IllegalArgumentException.class);
    }

    private static boolean met(String claim, String expected, Object value) {
        return new ClaimConditions(Map.of(claim, expected)).areMetBy(Map.of(claim, value));
    }
}
