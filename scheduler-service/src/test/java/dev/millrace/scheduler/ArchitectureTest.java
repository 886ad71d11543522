package dev.millrace.scheduler;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.retention.Retention;
import dev.millrace.scheduler.rpc.RequestFields;
import java.lang.reflect.Executable;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules on dependencies that hold for the whole scheduler, each with its reason. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.millrace.scheduler");
    private static final String FLOW_CORE = "dev.millrace.scheduler.flow.core";
    private static final String REQUEST_FIELDS = RequestFields.class.getName();
    private static final String RUN = "dev.millrace.scheduler.run";
    private static final String[] JDBC = {"java.sql..", "javax.sql..", "org.postgresql.."};
    private static final String GENERATED_TABLES = "dev.millrace.scheduler.database.tables..";

    @Test
    void coresArePure() {
        noClasses()
                .that()
                .resideInAPackage("..core..")
                .should()
                .dependOnClassesThat(DescribedPredicate.not(resideInAnyPackage(
                        "java.lang..",
                        "java.util..",
                        "java.time..",
                        "java.math..",
                        "java.nio.charset..",
                        "org.jspecify..",
                        "..scheduler..core..",
                        "dev.millrace.text..",
                        "dev.millrace.scheduler.expression..")))
                .because("a core decides from its arguments alone, so that every case can be tested: "
                        + "pass in what it needs, and act on what it returns in the shell")
                .check(CLASSES);
    }

    @Test
    void coresReadNoClockAndStartNoThread() {
        noClasses()
                .that()
                .resideInAPackage("..core..")
                .should()
                .callMethodWhere(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                                nameMatching("currentTimeMillis|nanoTime|now|randomUUID|startVirtualThread|sleep"))
                        .and(com.tngtech.archunit.core.domain.JavaCall.Predicates.target(
                                com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner(
                                        resideInAPackage("java..")))))
                .because("time, ids and random numbers arrive in the event, so that a decision can be made again")
                .check(CLASSES);
    }

    @Test
    void roomsOfTheFlowEngineKnowOnlyThoseBeforeThem() {
        List<String> rooms = List.of("definition", "graph", "state", "machine");
        for (int room = 0; room < rooms.size() - 1; room++) {
            String[] later = rooms.subList(room + 1, rooms.size()).stream()
                    .map(name -> FLOW_CORE + "." + name + "..")
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(FLOW_CORE + "." + rooms.get(room) + "..")
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(later))
                    .because(
                            "a flow is defined, compiled, folded and decided on, in this order: what a room needs of a later one "
                                    + "belongs to that later room, or is handed in as a value")
                    .check(CLASSES);
        }
    }

    @Test
    void theFlowEngineHasNoOtherRooms() {
        noClasses()
                .should()
                .resideInAPackage(FLOW_CORE)
                .because(
                        "each class of the flow engine says, compiles, holds or decides: put it into the room that does")
                .check(CLASSES);
    }

    @Test
    void workspacesAreNoStrings() {
        List<String> loose = CLASSES.stream()
                .filter(type -> !type.getPackageName().startsWith("dev.millrace.scheduler.database.tables"))
                .map(JavaClass::reflect)
                .flatMap(ArchitectureTest::looseWorkspaces)
                .toList();

        assertThat(loose)
                .as("a workspace is a Workspace, which has been checked, from the gRPC service to the SQL: "
                        + "read it with RequestFields, and write its name() where a statement binds it")
                .isEmpty();
    }

    /** The fields and parameters of a class that are called workspace and are strings. */
    private static Stream<String> looseWorkspaces(Class<?> type) {
        Stream<String> fields = Stream.of(type.getDeclaredFields())
                .filter(field -> field.getName().equals("workspace") && field.getType() == String.class)
                .map(field -> type.getName() + "." + field.getName());
        Stream<Executable> executables = Stream.of(type.getDeclaredMethods(), type.getDeclaredConstructors())
                .flatMap(Stream::of);
        Stream<String> parameters = executables
                .filter(executable -> !executable.isSynthetic())
                .flatMap(executable -> Stream.of(executable.getParameters()))
                .filter(parameter -> parameter.getName().equals("workspace") && parameter.getType() == String.class)
                .map(parameter -> type.getName() + "."
                        + parameter.getDeclaringExecutable().getName());
        return Stream.concat(fields, parameters).filter(place -> !place.equals(REQUEST_FIELDS + ".run"));
    }

    @Test
    void requestsNameRunsWithinTheirWorkspace() {
        noClasses()
                .that()
                .haveNameMatching(".*(GrpcService|Protos)")
                .and()
                .doNotHaveSimpleName("BulkRequestProtos")
                .should()
                .callMethod(RunId.class, "parse", String.class)
                .because("a run is found in the workspace of the request only: read both with RequestFields.run, and "
                        + "begin with Runs.load or Runs.resolve")
                .check(CLASSES);
        noClasses()
                .that()
                .doNotHaveSimpleName("SignalGrpcService")
                .should()
                .callMethod(RequestFields.class, "runOfToken", String.class)
                .because("only the links of waits carry a token, which says for which run they were made")
                .check(CLASSES);
    }

    @Test
    void dialectsKnowDefinitionsOnly() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.scheduler.flow.dialect..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(FLOW_CORE + ".graph..", FLOW_CORE + ".state..", FLOW_CORE + ".machine.."))
                .because(
                        "a dialect says what a flow is, and never how it runs: a step kind that it cannot express needs a "
                                + "definition of its own")
                .check(CLASSES);
    }

    @Test
    void onlyStoresKnowTheDatabase() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.millrace.scheduler.database..")
                .and()
                .haveNameNotMatching(".*(Store|Rows)(\\$.*)?")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.jooq..", GENERATED_TABLES))
                .because("the schema can change where only stores know it: return records of the feature instead")
                .check(CLASSES);
    }

    @Test
    void onlyLanesAndConnectionsSpeakJdbc() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.millrace.scheduler.database..", "dev.millrace.scheduler.lane..")
                .and()
                .haveNameNotMatching(".*(Statement|Columns|Feature|Store|NotificationBus)(\\$.*)?")
                .should()
                .dependOnClassesThat(resideInAnyPackage(JDBC))
                .because("what is no lane asks through Database, which translates failures and measures (ADR 51): "
                        + "write a *Store with jOOQ, or a feature with statements and questions of a lane")
                .check(CLASSES);
    }

    @Test
    void nobodyMixesJooqWithJdbc() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.millrace.scheduler.database..")
                .and(DescribedPredicate.describe(
                        "use JDBC",
                        type -> type.getDirectDependenciesFromSelf().stream()
                                .anyMatch(used -> resideInAnyPackage(JDBC).test(used.getTargetClass()))))
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.jooq..", GENERATED_TABLES))
                .because(
                        "the statements of a lane are constant texts that are planned once and explained by a test (ADR 1, ADR 51)")
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.scheduler.lane..")
                .and()
                .doNotHaveSimpleName("ResultStore")
                .or()
                .haveNameMatching(".*(Statement|Feature)")
                .should()
                .dependOnClassesThat(resideInAnyPackage("org.jooq..", GENERATED_TABLES))
                .because("a lane sends several statements in one round trip, which jOOQ cannot do; "
                        + "only large results are read beside it (ADR 1, ADR 45, ADR 51)")
                .check(CLASSES);
    }

    @Test
    void onlyTheShellKnowsGrpc() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.millrace.scheduler",
                        "dev.millrace.scheduler.access..",
                        "dev.millrace.scheduler.audit..",
                        "dev.millrace.scheduler.quota..",
                        "dev.millrace.scheduler.rpc..",
                        "dev.millrace.scheduler.run..",
                        "dev.millrace.scheduler.submission..",
                        "dev.millrace.scheduler.worker..")
                .and()
                .haveNameNotMatching(".*(GrpcService|Protos)(\\$.*)?")
                .should()
                .dependOnClassesThat(resideInAnyPackage("io.grpc..", "dev.millrace.proto.."))
                .because("messages are the outside's words: map them to records in a *Protos class")
                .check(CLASSES);
    }

    @Test
    void servicesUseFeaturesNotStores() {
        noClasses()
                .that()
                .haveSimpleNameEndingWith("GrpcService")
                .and()
                .doNotHaveSimpleName("WorkerGrpcService")
                .should()
                .dependOnClassesThat()
                .haveSimpleNameEndingWith("Store")
                .because("what a call means is decided in the feature, where other callers find it too")
                .check(CLASSES);
    }

    @Test
    void featuresDoNotDependOnEachOtherInACircle() {
        slices().matching("dev.millrace.scheduler.(*)..")
                .should()
                .beFreeOfCycles()
                .because("a feature can be read alone only if what it stands on does not stand on it: "
                        + "let the lower one declare an interface")
                .check(CLASSES);
    }

    @Test
    void nobodyDependsOnSweeps() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.millrace.scheduler", "dev.millrace.scheduler.retention..")
                .should()
                .dependOnClassesThat()
                .areAssignableTo(Retention.class)
                .because("correctness does not hang on how far a sweep has come: features declare rules")
                .check(CLASSES);
    }

    @Test
    void lanesKnowNoFeatureOutsideOfThem() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.scheduler.lane..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "dev.millrace.scheduler.affinity..",
                        "dev.millrace.scheduler.cache..",
                        "dev.millrace.scheduler.child..",
                        "dev.millrace.scheduler.limit..",
                        "dev.millrace.scheduler.operation..",
                        "dev.millrace.scheduler.option..",
                        "dev.millrace.scheduler.signal..",
                        "dev.millrace.scheduler.start..")
                .because("a feature takes part in a flush through LaneFeature: lanes have no word of it")
                .check(CLASSES);
    }

    @Test
    void submissionsDoNotKnowHowRunsAreRead() {
        noClasses()
                .that()
                .resideInAPackage("dev.millrace.scheduler.submission..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.millrace.scheduler.run..")
                .because("what is written must not change with how it is shown: "
                        + "what needs both, such as waiting for a run that was submitted, is in run.service")
                .check(CLASSES);
    }

    @Test
    void readingRunsDoesNotKnowSubmissions() {
        noClasses()
                .that()
                .resideInAnyPackage(RUN, RUN + ".step..", RUN + ".search..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.millrace.scheduler.submission..", RUN + ".service..")
                .because("a run is read the same way, whoever submitted it and whoever asks")
                .check(CLASSES);
    }

    @Test
    void stepsAndSearchesStandOnRunsAlone() {
        noClasses()
                .that()
                .resideInAPackage(RUN)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(RUN + ".step..", RUN + ".search..")
                .because("what a single run is stands below its steps and below the ways of finding it")
                .check(CLASSES);
        slices().matching(RUN + ".(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(resideInAPackage(RUN + ".service.."), resideInAPackage(RUN + ".."))
                .because("steps are read without searching, and runs are found without reading their steps")
                .check(CLASSES);
    }
}
