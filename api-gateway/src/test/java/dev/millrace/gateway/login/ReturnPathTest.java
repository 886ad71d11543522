package dev.millrace.gateway.login;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReturnPathTest {

    @ParameterizedTest
    @ValueSource(strings = {"/", "/device?user_code=BCDF-GHJK", "/runs?state=failed&x=%2F%2Fevil", "/a//b", "/a:b@c"})
    void pagesOfTheGatewayAreKept(String path) {
        assertThat(ReturnPath.of(path)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "runs",
                "//evil.example",
                "/\\evil.example",
                "/a\\evil.example",
                "\\\\evil.example",
                "https://evil.example",
                "javascript:alert(1)",
                "/\t/evil.example",
                "/ /evil.example",
                "/\r\nset-cookie: a=b",
                "/ü"
            })
    void everythingElseLeadsToTheStartPage(String path) {
        assertThat(ReturnPath.of(path)).isEqualTo("/");
    }

    @Test
    void aPathThatIsTooLongIsNotKept() {
        assertThat(ReturnPath.of("/" + "a".repeat(1_000))).isEqualTo("/");
    }
}
