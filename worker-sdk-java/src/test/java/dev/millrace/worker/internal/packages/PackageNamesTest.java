package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PackageNamesTest {
    /** Packages that are somebody else's, or retired, although a module is called like them. */
    private static final Set<String> DANGEROUS = Set.of(
            ("attr azure azure-keyvault azure-mgmt azure-storage board bs4 clr crypto dateutil discord docx dns dotenv fitz git"
                            + " github google google-cloud grpc jaraco jose jwt kafka ldap magic nmap openssl pil pkg-resources"
                            + " pptx ruamel serial sklearn skimage slugify socks telegram u f usb utils websocket yaml zmq zope")
                    .split(" "));

    @ParameterizedTest
    @CsvSource({
        "requests, requests",
        "requests.auth.HTTPBasicAuth, requests",
        "yaml, pyyaml",
        "cv2, opencv-python-headless",
        "google.auth.transport.requests, google-auth",
        "google.oauth2.service_account, google-auth",
        "google.cloud.storage, google-cloud-storage",
        "google.cloud.vision_v1.types, google-cloud-vision",
        "google.cloud.secretmanager_v1beta1, google-cloud-secret-manager",
        "google.genai, google-genai",
        "google.protobuf.json_format, protobuf",
        "azure.core.exceptions, azure-core",
        "azure.storage.blob.BlobServiceClient, azure-storage-blob",
        "azure.mgmt.compute, azure-mgmt-compute",
        "azure.keyvault.secrets, azure-keyvault-secrets",
        "ruamel.yaml.YAML, ruamel.yaml",
        "zope.interface, zope.interface",
        "jaraco.functools.once, jaraco.functools",
        "backports.zoneinfo, backports.zoneinfo",
        "sphinxcontrib.mermaid, sphinxcontrib-mermaid",
        "opentelemetry.trace, opentelemetry-api",
        "opentelemetry.sdk.trace.export, opentelemetry-sdk",
        "opentelemetry.exporter.otlp.proto.http.trace_exporter, opentelemetry-exporter-otlp-proto-http",
        "opentelemetry.instrumentation.requests.RequestsInstrumentor, opentelemetry-instrumentation-requests",
        "mpl_toolkits.mplot3d, matplotlib",
        "airflow.providers.common.sql.hooks, apache-airflow-providers-common-sql",
        "psycopg, psycopg[binary]"
    })
    void findsThePackageOfAModule(String module, String name) {
        assertThat(PackageNames.of(module)).isEqualTo(new PackageGuess.Known(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "google",
                "google.cloud",
                "google.nothing",
                "azure",
                "azure.storage",
                "azure.mgmt",
                "zope",
                "ruamel",
                "jaraco.comm",
                "u.shared",
                "f.shared.text",
                "utils",
                "helpers.text.slug",
                "cgi",
                "distutils.version",
                "urllib2",
                "tomllib",
                "qgis.core",
                "plone.api"
            })
    void takesNoStrangersPackage(String module) {
        assertThat(PackageNames.of(module)).isInstanceOf(PackageGuess.Refused.class);
    }

    @Test
    void saysWhichPackageToDeclare() {
        assertThat(PackageNames.of("google.nothing"))
                .isEqualTo(new PackageGuess.Refused(
                        "No package was inferred for the import of google.nothing: many packages"
                                + " share the namespace google, such as google-adk for google.adk, and the one called google would be"
                                + " another. Declare the package that has it at the head of the script, with all others that it needs"
                                + " (PEP 723)."));
        assertThat(PackageNames.of("cgi"))
                .isEqualTo(new PackageGuess.Refused(
                        "No package was inferred for the import of cgi: it is not in Python since"
                                + " 3.13. The package legacy-cgi has it: declare that at the head of the script, with all others that"
                                + " it needs (PEP 723)."));
    }

    @Test
    void everyRefusalHasASentence() {
        PackageNames.refusals()
                .forEach((module, entry) -> assertThat(ModuleRefusal.sentence(module, entry))
                        .startsWith("No package was inferred for the import of " + module + ": ")
                        .endsWith("."));
    }

    @Test
    void noModuleIsAStrangersPackage() {
        PackageNames.table()
                .values()
                .forEach(name ->
                        assertThat(normalized(name)).as("package of the table").isNotIn(DANGEROUS));
        DANGEROUS.stream().filter(PackageNamesTest::isModule).forEach(name -> {
            if (PackageNames.of(name) instanceof PackageGuess.Known known) {
                assertThat(normalized(known.name())).as(name).isNotEqualTo(name);
            }
        });
    }

    @Test
    void theTableHasNoEntryThatTheRuleMakesNeedless() {
        assertThat(PackageNames.table().entrySet())
                .filteredOn(entry -> !entry.getKey().contains("."))
                .noneMatch(entry -> normalized(entry.getKey()).equals(normalized(entry.getValue())));
    }

    @Test
    void noRefusalContradictsTheTable() {
        Map<String, String> table = PackageNames.table();
        assertThat(PackageNames.refusals().keySet()).noneMatch(table::containsKey);
    }

    /** Whether a module has this name in lower case. */
    private static boolean isModule(String name) {
        return !name.contains("-") && !Set.of("crypto", "openssl", "pil").contains(name);
    }

    private static String normalized(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
    }
}
