package dev.millrace.scheduler;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** What holds for the whole scheduler, whoever changes it. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.millrace.scheduler");
    private static final String GENERATED_TABLES = "dev.millrace.scheduler.database.tables..";

    @Test
    void coresArePure() {
        noClasses()
                .that()
                .resideInAPackage("..core..")
                .should()
                .dependOnClassesThat(com.tngtech.archunit.base.DescribedPredicate.not(resideInAnyPackage(
                        "java.lang..",
                        "java.util..",
                        "java.time..",
                        "java.math..",
                        "java.nio.charset..",
                        "org.jspecify..",
                        "..scheduler..core..",
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
    void onlyTheShellKnowsGrpc() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "dev.millrace.scheduler",
                        "dev.millrace.scheduler.rpc..",
                        "dev.millrace.scheduler.run..",
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
    void nobodyDependsOnTheHousekeeping() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.millrace.scheduler", "dev.millrace.scheduler.maintenance..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.millrace.scheduler.maintenance..")
                .because("correctness does not hang on housekeeping")
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
                        "dev.millrace.scheduler.signal..",
                        "dev.millrace.scheduler.start..")
                .because("a feature takes part in a flush through LaneFeature: lanes have no word of it")
                .check(CLASSES);
    }
}
