@NullMarked
package dev.millrace.e2e.login;

import org.jspecify.annotations.NullMarked;
