package dev.millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.RequestHeaders;
import dev.millrace.gateway.problem.ProblemException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CredentialTest {

    private static final String TOKEN = "mru_abcDEF0123456789";

    @ParameterizedTest
    @ValueSource(strings = {"Bearer " + TOKEN, "bearer " + TOKEN, "BEARER   " + TOKEN + " "})
    void isTheTokenInTheHeader(String authorization) {
        assertThat(of(false, "authorization", authorization)).isEqualTo(new Credential.Header(TOKEN));
    }

    @Test
    void isTheHeaderBeforeTheCookie() {
        assertThat(of(false, "cookie", "millrace-session=mrc_cookie", "authorization", "Bearer " + TOKEN))
                .isEqualTo(new Credential.Header(TOKEN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Bearer", "Bearer ", "Basic YWRhOnB3", "Bearer a b", "Bearer a,b", "Bearer \u00e9", TOKEN})
    void isRefusedIfTheHeaderHoldsSomethingElse(String authorization) {
        assertThatThrownBy(() -> of(false, "authorization", authorization))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        refused -> assertThat(refused.problem().status().code()).isEqualTo(401));
    }

    @Test
    void isRefusedIfThereAreTwo() {
        assertThatThrownBy(() -> of(false, "authorization", "Bearer " + TOKEN, "authorization", "Bearer other"))
                .isInstanceOf(ProblemException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "false, millrace-session=mrc_1, mrc_1",
        "false, a=b; millrace-session=mrc_1; c=d, mrc_1",
        "true, __Host-millrace-session=mrc_1, mrc_1",
        "true, millrace-session=mrc_1, ''",
        "false, __Host-millrace-session=mrc_1, ''",
        "false, xmillrace-session=mrc_1, ''",
        "false, millrace-session=, ''",
        "false, millrace-session=mrc_1; millrace-session=mrc_2, ''",
        "false, millrace-session=\"mrc_1\", ''",
    })
    void isTheTokenInTheCookieOfThisScheme(boolean isSecure, String cookie, String token) {
        assertThat(of(isSecure, "cookie", cookie))
                .isEqualTo(token.isEmpty() ? new Credential.None() : new Credential.Cookie(token));
    }

    @Test
    void isReadFromAllCookieHeaders() {
        assertThat(of(true, "cookie", "a=b", "cookie", "__Host-millrace-session=mrc_1"))
                .isEqualTo(new Credential.Cookie("mrc_1"));
    }

    @Test
    void isHiddenInTexts() {
        assertThat(new Credential.Header(TOKEN).toString()).doesNotContain(TOKEN);
        assertThat(new Credential.Cookie(TOKEN).toString()).doesNotContain(TOKEN);
    }

    @Test
    void isKeptInACookieThatNoPageCanReadAndNoNeighborCanSet() {
        assertThat(SessionCookie.keeping("mrc_1", Duration.ofDays(7), true))
                .isEqualTo("__Host-millrace-session=mrc_1; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure");
        assertThat(SessionCookie.removing(false))
                .isEqualTo("millrace-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
    }

    private static Credential of(boolean isSecure, String... headers) {
        var request = RequestHeaders.builder(HttpMethod.GET, "/");
        for (int i = 0; i < headers.length; i += 2) {
            request.add(headers[i], headers[i + 1]);
        }
        return Credential.of(request.build(), isSecure);
    }
}
