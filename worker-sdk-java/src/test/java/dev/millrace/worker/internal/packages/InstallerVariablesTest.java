package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the programs that install packages see of the worker's variables: what people configure them with, and no secrets. */
final class InstallerVariablesTest {
    private static final Map<String, String> SECRETS =
            Map.of("MILLRACE_WORKER_TOKEN", "t", "DATABASE_URL", "u", "AWS_SECRET_ACCESS_KEY", "k", "PGPASSWORD", "p");

    /** For each of the programs. */
    private static final Map<String, String> PROXIES =
            Map.of("HTTPS_PROXY", "http://proxy:3128", "no_proxy", "localhost", "PATH", "/bin", "HOME", "/home/w");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void eachSeesProxiesAndNoSecrets() {
        Map<String, String> given = new HashMap<>(SECRETS);
        given.putAll(PROXIES);

        for (Map<String, String> seen :
                List.of(uv(given), DenoInstaller.variables(given), BunInstaller.variables(given))) {
            assertThat(seen)
                    .containsAllEntriesOf(PROXIES)
                    .doesNotContainKeys(SECRETS.keySet().toArray(new String[0]));
        }
    }

    @Test
    void eachSeesItsOwnVariables() {
        assertThat(uv(Map.of("UV_INDEX", "https://index", "NETRC", "/n", "DENO_AUTH_TOKENS", "t")))
                .containsEntry("UV_INDEX", "https://index")
                .containsEntry("NETRC", "/n")
                .doesNotContainKey("DENO_AUTH_TOKENS");
        assertThat(DenoInstaller.variables(Map.of(
                        "NPM_CONFIG_REGISTRY", "https://npm", "DENO_AUTH_TOKENS", "t", "BUN_CONFIG_REGISTRY", "b")))
                .containsEntry("NPM_CONFIG_REGISTRY", "https://npm")
                .containsEntry("DENO_AUTH_TOKENS", "t")
                .doesNotContainKey("BUN_CONFIG_REGISTRY");
        assertThat(BunInstaller.variables(Map.of("BUN_CONFIG_REGISTRY", "b", "npm_config_registry", "n")))
                .containsEntry("BUN_CONFIG_REGISTRY", "b")
                .containsEntry("npm_config_registry", "n");
    }

    @Test
    void uvReadsTheVariablesOfPipUnlessItsOwnAreSet() {
        Map<String, String> ofPip = Map.of(
                "PIP_INDEX_URL",
                "https://a",
                "PIP_EXTRA_INDEX_URL",
                "https://b https://c",
                "PIP_CERT",
                "/pip.pem",
                "REQUESTS_CA_BUNDLE",
                "/requests.pem");
        assertThat(uv(ofPip))
                .containsEntry("UV_DEFAULT_INDEX", "https://a")
                .containsEntry("UV_INDEX", "https://b https://c")
                .containsEntry("SSL_CERT_FILE", "/pip.pem");

        Map<String, String> both = new HashMap<>(ofPip);
        both.putAll(Map.of("UV_DEFAULT_INDEX", "https://own", "SSL_CERT_FILE", "/own.pem"));
        assertThat(uv(both))
                .containsEntry("UV_DEFAULT_INDEX", "https://own")
                .containsEntry("SSL_CERT_FILE", "/own.pem");
    }

    @Test
    void denoAndBunTrustTheAuthoritiesOfACompany() throws Exception {
        String company = Files.writeString(folder.resolve("company.pem"), "-").toString();
        Map<String, String> given = Map.of("DENO_CERT", folder + "/missing.pem", "SSL_CERT_FILE", company);

        assertThat(DenoInstaller.variables(given)).containsEntry("DENO_CERT", company);
        assertThat(BunInstaller.variables(given)).containsEntry("NODE_EXTRA_CA_CERTS", company);
    }

    private Map<String, String> uv(Map<String, String> given) {
        return Uv.variables(given);
    }
}
