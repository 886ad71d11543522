@NullMarked
package dev.millrace.cli.login;

import org.jspecify.annotations.NullMarked;
