package dev.millrace.e2e.login;

import static dev.millrace.e2e.login.LoginInstallation.succeeds;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Chromium;
import dev.millrace.e2e.support.Cli;
import dev.millrace.e2e.support.FormBrowser;
import dev.millrace.e2e.support.FormBrowser.Page;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Await;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs people, programs and jobs in over all services, at a provider that others have written: a mock, or the Keycloak
 * of {@code .ci/nightly-keycloak}.
 */
@Tag("nightly")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class LoginTest {
    private static final int NOT_ALLOWED = 8;
    private static final String HOST = "localhost";
    private static final String SESSION = "millrace-session";
    private static final Path PICTURES = Path.of("target", "browser");

    private LoginInstallation installation;

    @BeforeAll
    void start(@TempDir Path folder) {
        installation = LoginInstallation.start(folder);
        succeeds(installation.owner(), "roles", "grant", "group:builders", "developer", "--folder", "shop");
    }

    @AfterAll
    void stop() {
        installation.close();
    }

    @Test
    void aPersonLogsInAndOutInABrowser() {
        FormBrowser browser = new FormBrowser();

        Page page = logIn(browser, "/device", "ada");

        assertThat(page.address()).isEqualTo(installation.at("/device"));
        assertThat(page.body()).contains("Enter the code");
        JsonNode caller = whoAmI(browser);
        assertThat(caller.at("/principal/name").asText()).isEqualTo("ada");
        assertThat(caller.at("/principal/groups").toString()).isEqualTo("[\"builders\"]");
        assertThat(caller.at("/roles/0/folder").asText()).isEqualTo("shop");
        assertThat(browser.cookie(HOST, "__Host-" + SESSION))
                .as("only over TLS")
                .isEmpty();
        assertThat(browser.cookie(HOST, "millrace-login"))
                .as("the login is over")
                .isEmpty();

        String copied = browser.cookie(HOST, SESSION).orElseThrow();
        assertThat(browser.post(installation.at("/logout"), Map.of()).status()).isEqualTo(204);
        assertThat(browser.cookie(HOST, SESSION)).isEmpty();
        browser.setCookie(HOST, SESSION, copied);
        assertThat(browser.open(installation.at("/api/v1/whoami")).status())
                .as("a copy of the cookie")
                .isEqualTo(401);
    }

    @Test
    void theCommandLineLogsInByABrowser() {
        Cli ada = installation.newcomer();
        PendingLogin login = PendingLogin.start(ada, installation.at(""));
        FormBrowser browser = new FormBrowser();

        Page asked = logIn(browser, login.page(), "ada");
        assertThat(asked.body()).contains("<p class=\"code\">" + login.code() + "</p>", "millrace on ");
        Page done = browser.submit(asked, Map.of("decision", "approve"));

        assertThat(done.body()).contains("The program is logged in");
        Cli.Outcome outcome = login.await();
        assertThat(outcome.exitCode()).as(outcome.errors()).isZero();
        assertThat(outcome.output()).contains("Logged in to " + installation.at("") + " as user ada.");
        assertThat(succeeds(ada, "whoami")).contains("You are user ada", "developer");
        assertThat(Json.parse(succeeds(ada, "whoami", "-o", "json"))
                        .at("/principal/groups/0")
                        .asText())
                .isEqualTo("builders");
        assertThat(succeeds(ada, "logout")).contains("is revoked and deleted");
        assertThat(ada.run("whoami").exitCode()).isEqualTo(NOT_ALLOWED);
    }

    @Test
    void aDeniedProgramGetsNoToken() {
        PendingLogin login = PendingLogin.start(installation.newcomer(), installation.at(""));
        FormBrowser browser = new FormBrowser();

        Page denied = browser.submit(logIn(browser, login.page(), "ada"), Map.of("decision", "deny"));

        assertThat(denied.body()).contains("The login is denied");
        Cli.Outcome outcome = login.await();
        assertThat(outcome.exitCode()).as(outcome.errors()).isEqualTo(NOT_ALLOWED);
        assertThat(outcome.errors()).contains("The login was denied in the browser.");
    }

    @Test
    void aDisabledUserIsOutWithinSeconds() {
        Cli bob = installation.newcomer();
        PendingLogin login = PendingLogin.start(bob, installation.at(""));
        FormBrowser browser = new FormBrowser();
        browser.submit(logIn(browser, login.page(), "bob"), Map.of("decision", "approve"));
        assertThat(login.await().exitCode()).isZero();

        succeeds(installation.owner(), "users", "disable", "bob");

        Await.until(
                "the session of the browser is over",
                Api.PATIENCE,
                () -> browser.open(installation.at("/api/v1/whoami")).status() == 401);
        assertThat(bob.run("whoami").exitCode()).isEqualTo(NOT_ALLOWED);
        Page refused = logIn(new FormBrowser(), "/device", "bob");
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.body()).contains("bob is disabled");
        succeeds(installation.owner(), "users", "enable", "bob");
        assertThat(logIn(new FormBrowser(), "/device", "bob").status()).isEqualTo(200);
    }

    @Test
    void aJobExchangesItsJwt() {
        Cli owner = installation.owner();
        String issuer = installation.provider().issuer();
        succeeds(owner, "service-accounts", "create", "deployer");
        succeeds(owner, "roles", "grant", "service-account:deployer", "developer");
        Cli job = installation.withToken("");
        String[] exchange = {
            "tokens", "exchange", "--server", installation.at("").toString()
        };

        Cli.Outcome stranger = job.runWith(installation.provider().jwt(), exchange);
        assertThat(stranger.exitCode()).as(stranger.errors()).isEqualTo(NOT_ALLOWED);
        assertThat(stranger.errors()).contains("No service account trusts this JWT", Provider.AUDIENCE);

        String[] trust = {
            "trusts",
            "create",
            "ci",
            "--service-account",
            "deployer",
            "--issuer",
            issuer,
            "--audience",
            Provider.AUDIENCE,
            "--claim",
            "azp=ci"
        };
        succeeds(owner, trust);
        Cli.Outcome exchanged = job.runWith(installation.provider().jwt(), exchange);

        assertThat(exchanged.exitCode()).as(exchanged.errors()).isZero();
        Cli deployer = installation.withToken(exchanged.output().strip());
        assertThat(succeeds(deployer, "whoami")).contains("You are service account deployer of workspace default");
        succeeds(deployer, "flows", "list");
        succeeds(owner, "trusts", "delete", "ci");
        assertThat(job.runWith(installation.provider().jwt(), exchange).exitCode())
                .isEqualTo(NOT_ALLOWED);
    }

    @Test
    void aRealBrowserLogsInAndApproves() {
        Chromium chromium = Chromium.findOrSkip();
        Cli ada = installation.newcomer();
        PendingLogin login = PendingLogin.start(ada, installation.at(""));

        JsonNode seen = chromium.run(
                "log_in.mjs",
                Map.of(
                        "gateway", installation.at("").toString(),
                        "page", login.page().toString(),
                        "code", login.code(),
                        "issuer", installation.provider().issuer(),
                        "form", installation.provider().form("ada")),
                PICTURES);

        assertThat(seen.path("problems")).as("what the browser's console says").isEmpty();
        assertThat(seen.path("user").asText()).isEqualTo("ada");
        assertThat(seen.at("/cookie/name").asText()).isEqualTo(SESSION);
        assertThat(seen.at("/cookie/httpOnly").asBoolean()).isTrue();
        assertThat(seen.at("/cookie/sameSite").asText()).isEqualTo("Lax");
        assertThat(seen.path("after_logout").asInt()).isEqualTo(401);
        assertThat(login.await().exitCode()).isZero();
        assertThat(succeeds(ada, "whoami")).contains("You are user ada");
    }

    private Page logIn(FormBrowser browser, String path, String user) {
        return logIn(browser, installation.at(path), user);
    }

    /** Opens a page that wants a login, logs in at the provider, and returns the page at the end. */
    private Page logIn(FormBrowser browser, URI address, String user) {
        Page form = browser.open(address);
        assertThat(form.address().toString())
                .as(form.body())
                .startsWith(installation.provider().issuer());
        return browser.submit(form, installation.provider().form(user));
    }

    private JsonNode whoAmI(FormBrowser browser) {
        return Json.parse(browser.open(installation.at("/api/v1/whoami")).body());
    }
}
