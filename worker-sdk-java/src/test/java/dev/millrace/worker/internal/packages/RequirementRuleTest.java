package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What scripts may declare, in all forms in which Python knows requirements. */
class RequirementRuleTest {
    private static final PackageHosts HOSTS = PackageHosts.of(
            List.of("git.company.example:8443", "pypi.company.example"),
            Map.of("UV_INDEX", "http://10.0.0.7:3141/simple"));

    private final RequirementRule rule = new RequirementRule(HOSTS);
    private final RequirementLines lines = new RequirementLines(rule);
    private final PythonMetadata metadata = new PythonMetadata(rule);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "requests",
                "requests>=2,<3",
                "requests (>=2)",
                "psycopg[binary, pool] ~= 3.1 ; python_version >= '3.10'",
                "a.b-c_d==1.0",
                "one @ https://example.com/one-1.0-py3-none-any.whl",
                "one[extra] @ https://example.com/one.whl#sha256=ab ; sys_platform == 'linux'",
                "one @ git+https://github.com/one/one@main#subdirectory=python",
                "one @ https://git.company.example:8443/one.whl",
                "one @ http://10.0.0.7:3141/one.whl",
                "requests==2.32.0 # why",
                "requests==2.32.0 --hash=sha256:0123456789abcdef0123456789abcdef"
            })
    void takesPackagesOfIndexesAndPublicAddresses(String requirement) {
        assertThatCode(() -> lines.of(List.of(requirement), "the script")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".",
                "./evil",
                "../evil",
                "/tmp/evil",
                "~/evil",
                "evil/",
                "evil.whl",
                "evil-1.0.tar.gz",
                "evil.ZIP",
                "C:\\evil",
                "file:///tmp/evil",
                "https://example.com/evil.whl",
                "evil @ file:///tmp/evil",
                "evil @ FILE:/tmp/evil",
                "evil @ file://localhost/tmp/evil",
                "evil@file:///tmp/evil",
                "evil[x] @ file:///tmp/evil ; python_version > '3'",
                "evil @ ./evil",
                "evil @ /tmp/evil",
                "evil @ evil.whl",
                "evil @ http://example.com/evil.whl",
                "evil @ ftp://example.com/evil.whl",
                "evil @ https:///evil.whl",
                "evil @ https://127.0.0.1/evil.whl",
                "evil @ https://127.1/evil.whl",
                "evil @ https://2130706433/evil.whl",
                "evil @ https://[::1]/evil.whl",
                "evil @ https://[::ffff:10.0.0.1]/evil.whl",
                "evil @ https://169.254.169.254/latest",
                "evil @ https://localhost/evil.whl",
                "evil @ https://a.localhost/evil.whl",
                "evil @ https://user@10.0.0.7/evil.whl",
                "evil @ https://example.com:22/evil.whl",
                "evil @ git+file:///tmp/evil",
                "evil @ git+ssh://git@example.com/evil",
                "evil @ git+http://example.com/evil",
                "evil @ git+https://10.0.0.8/evil",
                "evil @ git+ext::sh -c id",
                "evil @ hg+https://example.com/evil",
                "evil @ bzr+https://example.com/evil",
                "evil @ https://example.com/${UV_INDEX_PASSWORD}/evil.whl",
                "evil @ https://${HOST}/evil.whl",
                "evil @ $HOME/evil",
                "-e ./evil",
                "--editable ./evil",
                "-r /etc/passwd",
                "-c other.txt",
                "--find-links /tmp",
                "-f https://example.com",
                "--no-binary :all:",
                "--index-url http://127.0.0.1:9/simple",
                "--extra-index-url=https://evil.example/simple",
                "-i https://pypi.org/simple",
                "requests==1 --config-settings=x=y",
                "requests==1 --global-option=x",
                "-"
            })
    void refusesFilesRepositoriesPrivateAddressesAndOptions(String requirement) {
        assertThatThrownBy(() -> lines.of(List.of(requirement), "the script"))
                .isInstanceOf(PackageException.class)
                .hasMessageContaining("the script");
    }

    @Test
    void passesIndexesOnThatTheOperatorHasListed() throws Exception {
        assertThat(lines.read("--extra-index-url https://pypi.company.example/simple\n\n# note\none \\\n  >=1\n", "x"))
                .isEqualTo(new Requirements(
                        "requirements.txt",
                        "one    >=1\n",
                        List.of("--index", "https://pypi.company.example/simple"),
                        false));
    }

    @Test
    void knowsPackagesWithAnAddress() throws Exception {
        assertThat(lines.of(List.of("one", "two @ https://example.com/two.whl"), "x")
                        .hasAddresses())
                .isTrue();
        assertThat(lines.of(List.of("one>=2"), "x").hasAddresses()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dependencies = ['one @ file:///tmp/one']",
                "dependencies = [{ name = 'one' }]",
                "dependencies = [\"one @ fi\\u006ce:///tmp/one\"]",
                "[tool.uv.sources]\none = { path = '/tmp/one' }",
                "[tool.uv.sources]\none = { path = '.', editable = true }",
                "[tool.uv.sources]\none = { workspace = true }",
                "[tool.uv.sources]\none = { url = 'file:///tmp/one.whl' }",
                "[tool.uv.sources]\none = { git = 'file:///tmp/one' }",
                "[tool.uv.sources]\none = { git = 'https://example.com/one', rev = '${HOME}' }",
                "[tool.uv.sources]\none = [{ url = 'https://example.com/one.whl' }, { git = 'ssh://example.com/one' }]",
                "tool = { uv = { sources = { one = { url = 'https://10.0.0.1/one.whl' } } } }",
                "'tool'.\"uv\".index-url = 'https://evil.example/simple'",
                "[[tool.uv.index]]\nurl = 'https://evil.example/simple'",
                "[[tool.uv.index]]\nname = 'x'",
                "[tool.uv]\nextra-index-url = ['https://evil.example/simple']",
                "[tool.uv]\nfind-links = ['/tmp']",
                "[tool.uv]\nno-binary = true",
                "[tool.uv]\nkeyring-provider = 'subprocess'",
                "[tool.uv]\ncache-dir = '/tmp'",
                "[tool.uv]\noverride-dependencies = ['one @ file:///tmp/one']",
                "[tool.uv]\nconstraint-dependencies = ['one @ ./one']",
                "[tool.uv]\nbuild-constraint-dependencies = ['one']",
                "[tool.uv.pip]\nno-build = false",
                "[tool.uv.extra-build-dependencies]\none = ['two']",
                "no toml"
            })
    void refusesTheSameInMetadataOfScriptsAndProjects(String toml) {
        assertThatThrownBy(() -> metadata.ofScript(block(toml))).isInstanceOf(PackageException.class);
        assertThatThrownBy(() -> metadata.ofProject(toml.replaceFirst("^dependencies", "[project]\ndependencies")))
                .isInstanceOf(PackageException.class);
    }

    @Test
    void writesWhatUvIsToSeeAnew() throws Exception {
        Requirements written = metadata.ofScript("import os\n" + block("""
                requires-python = ">=3.11"
                dependencies = [
                  "one>=1",  # why
                ]
                [tool.other]
                path = "/tmp"
                [tool.uv]
                exclude-newer = "2026-01-01T00:00:00Z"
                [[tool.uv.index]]
                name = "company"
                url = "https://pypi.company.example/simple"
                [tool.uv.sources]
                one = { index = "company" }"""));

        assertThat(written.text()).doesNotContain("import os", "/tmp", "why");
        assertThat(metadata.ofScript(written.text())).isEqualTo(written);
        assertThat(written.text())
                .contains(">=3.11", "one>=1", "2026-01-01T00:00:00Z", "https://pypi.company.example/simple");
    }

    @Test
    void refusesAScriptWithTwoBlocksOrNone() {
        assertThatThrownBy(() -> metadata.ofScript(block("dependencies = []") + "\n" + block("dependencies = []")))
                .hasMessageContaining("2 blocks");
        assertThatThrownBy(() -> metadata.ofScript("# /// script\n# dependencies = []\n"))
                .hasMessageContaining("0 blocks");
    }

    @Test
    void refusesAProjectWhoseDependenciesABuildWouldSay() {
        assertThatThrownBy(() -> metadata.ofProject("[project]\nname = 'x'\ndynamic = ['version', 'dependencies']\n"))
                .hasMessageContaining("dynamic");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one==1.0 \\\n    --hash=sha256:0123456789abcdef0123456789abcdef\n    --index-url https://evil.example\n",
                "one==1.0\n",
                "one @ file:///tmp/one \\\n    --hash=sha256:0123456789abcdef0123456789abcdef\n",
                "one==1.0 --find-links /tmp \\\n    --hash=sha256:0123456789abcdef0123456789abcdef\n"
            })
    void refusesLocksThatSayMore(String lock) {
        LockedPackage one = LockedPackage.parse(lock).get(0);
        assertThatThrownBy(() -> lines.locked(one)).isInstanceOf(PackageException.class);
    }

    @Test
    void removesPasswordsOfIndexes() {
        assertThat(IndexPasswords.removedFrom(Map.of(
                        "UV_INDEX", "a=https://me:secret@index/simple https://b/simple",
                        "UV_INDEX_A_PASSWORD", "secret",
                        "UV_INDEX_A_USERNAME", "me",
                        "PATH", "/usr/bin")))
                .isEqualTo(Map.of("UV_INDEX", "a=https://index/simple https://b/simple", "PATH", "/usr/bin"));
    }

    private static String block(String toml) {
        return "# /// script\n# " + toml.replace("\n", "\n# ") + "\n# ///\n";
    }
}
