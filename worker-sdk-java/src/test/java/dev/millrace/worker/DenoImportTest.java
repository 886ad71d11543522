package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.harness.NpmRegistry;
import dev.millrace.proto.worker.v1.JobResult;
import dev.millrace.proto.worker.v1.Lease;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modules that scripts for real Deno import by their address: from hosts that the worker lists, and from no other one. */
final class DenoImportTest {
    @TempDir(cleanup = CleanupMode.ALWAYS)
    Path folder = Path.of("");

    private NpmRegistry listed;
    private NpmRegistry other;

    @BeforeEach
    void serve() throws Exception {
        listed = new NpmRegistry();
        other = new NpmRegistry();
        listed.serve("mod.ts", "export const N: number = 1;\n");
        listed.serve("leads.ts", "export { N } from '" + other.address() + "mod.ts';\n");
        other.serve("mod.ts", "export const N: number = 7;\n");
        other.serve("data.json", "{\"N\": 7}");
    }

    @AfterEach
    void stop() {
        listed.close();
        other.close();
    }

    private static String host(NpmRegistry server) {
        return server.address().replaceFirst("^http://([^/]+)/.*", "$1");
    }

    private ScriptWorkerFixture worker(String permissions) throws Exception {
        return new ScriptWorkerFixture(
                folder,
                options -> options.withDenoPermissions(permissions)
                        .withPackageSources(new PackageSources(List.of(host(listed)), List.of(host(listed)))));
    }

    @Test
    void importsWhatWasChosenForItsVersion() throws Exception {
        try (ScriptWorkerFixture fixture = worker("allow-net")) {
            String imports = fixture.scheduler.addScript(
                    "test/script.ts", "import { N } from '" + listed.address() + """
                    mod.ts';
                    export async function main() {
                      localStorage.setItem("n", String(Number(localStorage.getItem("n")) + 1));
                      const hidden = "%s" + "unread.ts";
                      const refused = await import(hidden).catch((error) => error.message);
                      return [N, localStorage.getItem("n"), refused.includes("--cached-only")];
                    }
                    """.formatted(listed.address()));
            Lease first = fixture.lease(imports, "{}");
            fixture.session.lease(first);

            assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .isEqualTo("[1,\"1\",true]");
            assertThat(fixture.session.log(first.getJobId()))
                    .contains("Choosing versions of packages …\n", "Installed " + listed.address() + "mod.ts ");
            listed.serve("mod.ts", "export const N: number = 2;\n");
            fixture.session.lease(fixture.lease(imports, "{}").toBuilder()
                    .setWorkspace("other team")
                    .build());
            assertThat(fixture.session.awaitAndAcceptResult().getResult().toStringUtf8())
                    .as("another workspace chooses for itself")
                    .isEqualTo("[2,\"1\",true]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import { N } from 'OTHERmod.ts';",
                "import it from 'OTHERdata.json' with { type: 'json' }; const N = it.N;",
                "import { N } from 'LISTEDleads.ts';",
                "const { N } = await import('OTHERmod.ts');",
                "const { N } = await import(['OTHER', 'mod.ts'].join(''));",
                "import { N as M } from 'LISTEDmod.ts'; const { N } = await import(['OTHER', 'mod.ts'].join(''));"
            })
    void importsFromNoOtherHost(String imports) throws Exception {
        try (ScriptWorkerFixture fixture = worker("allow-net")) {
            assertRefused(fixture, imports);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import { N } from 'LISTEDmod.ts';",
                "const { N } = await import('LISTEDmod.ts');",
                "const { N } = await import(['LISTED', 'mod.ts'].join(''));"
            })
    void importsOnlyFromHostsThatItMayReach(String imports) throws Exception {
        try (ScriptWorkerFixture fixture = worker("allow-net=api.example.com")) {
            assertRefused(fixture, imports);
        }
        try (ScriptWorkerFixture fixture = worker("allow-net")) {
            assertRefused(fixture, "// millrace: allow-net=api.example.com\n" + imports);
        }
    }

    private void assertRefused(ScriptWorkerFixture fixture, String imports) throws Exception {
        String text = imports.replace("LISTED", listed.address()).replace("OTHER", other.address());
        String script = fixture.scheduler.addScript("test/script.ts", text + "\nexport const main = () => N;\n");

        JobResult result = fixture.run(script, "{}");

        assertThat(result.getError().getMessage()).containsPattern("Requires import access|may not import");
        assertThat(result.getResult().toStringUtf8()).isEmpty();
    }
}
