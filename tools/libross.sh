#!/usr/bin/env bash
# Builds the library for C models of ROSS and installs it: make libross PREFIX=FOLDER.
#
#	tools/libross.sh FOLDER           static and shared library
#	tools/libross.sh FOLDER KIND      one of them: static or shared
#	MPI=1 tools/libross.sh FOLDER     the same for models that mpirun starts, which are compiled with mpicc; it needs Open MPI
#
# include/ross has the headers, include/ross-mpi an mpi.h for one machine without MPI, lib the libraries, lib/pkgconfig ross.pc,
# lib/cmake/ROSS ROSSConfig.cmake, and bin the compiler driver ross-cc. The names are those of ROSS. No file contains the
# name of the folder: it can be moved. LIBDIR is another folder than lib, such as lib/x86_64-linux-gnu.
set -euo pipefail
prefix=${1:?tools/libross.sh: give the folder to install into, as make libross PREFIX=FOLDER does}
kinds=${2:-static shared}
mkdir -p "$prefix"
prefix=$(cd "$prefix" && pwd)
cd "$(dirname "$0")/.."
go=${GO:-go}

if [ "$(uname -s)" != Linux ]; then
	echo "libross: the library is for Linux: build it there, or in a container" >&2
	exit 1
fi
if [ "$("$go" env CGO_ENABLED)" = 0 ] || ! command -v "$("$go" env CC | cut -d' ' -f1)" >/dev/null; then
	echo "libross: there is no C compiler, or CGO_ENABLED is 0: install one, or set CC" >&2
	exit 1
fi
mpi=${MPI:-}
if [ -n "$mpi" ] && ! { command -v mpicc && pkg-config --exists ompi; } >/dev/null; then
	echo "libross: MPI=$mpi: there is no mpicc, or pkg-config does not know ompi: install Open MPI (libopenmpi-dev, openmpi-bin)" >&2
	exit 1
fi
version=$(sed -n 's/^const Ross = "\(.*\)"/\1/p' internal/sys/buildinfo/*.go)
number=${version#go-}
lib=${LIBDIR:-lib}
up=$(tr / '\n' <<<"$lib" | sed 's/.*/../' | paste -sd/ -)               # from there to the folder
soname=libROSS.so.$(sed -E 's/^(0\.[0-9]+|[0-9]+).*/\1/' <<<"$number") # versions that differ in it are not compatible
mkdir -p "$prefix"/{bin,include/ross,include/ross-mpi,"$lib/pkgconfig","$lib/cmake/ROSS"}
step() { echo "libross: $*"; }

step "headers: $prefix/include/ross"
# -C: models are not compiled again for headers that have not changed.
install -C -m 644 csrc/cmodel/ross*.h "$prefix/include/ross"
includes='-I"$here/include/ross" -I"$here/include/ross-mpi"' var=CC cc=cc libs='-lm -lpthread' tags=() cflags='-I${includedir}/ross -I${includedir}/ross-mpi'
how='in one process, or in several of one machine'
if [ -n "$mpi" ]; then
	rm -f "$prefix/include/ross-mpi/mpi.h" # models include that of MPI
	includes='-I"$here/include/ross"' var=MPICC cc=mpicc libs="-lm -lpthread $(pkg-config --libs ompi)" tags=(-tags mpi) cflags='-I${includedir}/ross'
	how='with MPI'
else
	install -C -m 644 csrc/cmodel/mpi/mpi.h "$prefix/include/ross-mpi"
fi
# A shared library of Go binds its own variables; here the program may have them, as linkers arrange for a program that
# is linked with the library.
# Debuggers read the model, and not the engine: without what is for them, the library has half the size.
flags=(-gcflags=all=-dwarf=false -ldflags "-w -extldflags=-Wl,-Bno-symbolic,-soname,$soname")
build() { # kind file
	local file=$prefix/$lib/$2
	"$go" build -trimpath -buildvcs=false -buildmode="$1" "${tags[@]}" "${flags[@]}" -o "$file.new" ./csrc/libross
	rm -f "${file%.*}".h "$file.h" # declares what only this library calls
	mv "$file.new" "$file"
}
cat >"$prefix/$lib/ross-model.ld" <<'LD'
/* Static variables of the model have pages of their own, which the library makes read-only while handlers of several PEs
 * run. ross-cc and CMake give this to the linker. */
SECTIONS
{
  .ross_model : ALIGN(CONSTANT(MAXPAGESIZE))
  {
    ross_model_begin = .;
    *(EXCLUDE_FILE(*libROSS.a:) .data EXCLUDE_FILE(*libROSS.a:) .data.[!r]* EXCLUDE_FILE(*libROSS.a:) .data.rel EXCLUDE_FILE(*libROSS.a:) .data.rel.local)
    *(EXCLUDE_FILE(*libROSS.a:) .bss EXCLUDE_FILE(*libROSS.a:) .bss.* EXCLUDE_FILE(*libROSS.a:) COMMON)
    . = ALIGN(CONSTANT(MAXPAGESIZE));
    ross_model_end = .;
  }
}
INSERT BEFORE .data;
LD
# What the model allocates is noted by csrc/cmodel/heap.c.
wraps=
for function in malloc calloc realloc free aligned_alloc posix_memalign strdup; do
	wraps+=",--wrap=$function"
done
new=
[ -n "$(ls "$("$go" env GOCACHE)" 2>/dev/null)" ] || new=', and what it consists of, a minute or two once'
case " $kinds " in *" static "*)
	step "static library$new: $prefix/$lib/libROSS.a"
	build c-archive libROSS.a
	new=
	;;
esac
case " $kinds " in *" shared "*)
	step "shared library$new: $prefix/$lib/libROSS.so.$number"
	build c-shared "libROSS.so.$number"
	ln -sf "libROSS.so.$number" "$prefix/$lib/$soname"
	ln -sf "$soname" "$prefix/$lib/libROSS.so"
	;;
esac

step "pkg-config, CMake: $prefix/$lib/{pkgconfig,cmake/ROSS}"
cat >"$prefix/$lib/pkgconfig/ross.pc" <<PC
prefix=\${pcfiledir}/../$up
libdir=\${prefix}/$lib
includedir=\${prefix}/include

Name: ROSS
Description: models of ROSS on the engine of ross-go, $how
Version: $version
Cflags: $cflags
Libs: -L\${libdir} -lROSS $libs
PC

cat >"$prefix/$lib/cmake/ROSS/ROSSConfigVersion.cmake" <<CMAKE
set(PACKAGE_VERSION $number)
if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_FIND_VERSION VERSION_EQUAL PACKAGE_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
CMAKE
sed "s,@up@,$up,; s/WRAPS/$wraps/" >"$prefix/$lib/cmake/ROSS/ROSSConfig.cmake" <<'CMAKE'
# find_package(ROSS), and then target_link_libraries(model PRIVATE ROSS::ROSS).
get_filename_component(_ross_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
get_filename_component(_ross_prefix "${_ross_lib}/@up@" ABSOLUTE)
find_package(Threads REQUIRED)
if(NOT TARGET ROSS::ROSS)
  find_library(_ross_library NAMES libROSS.a ROSS PATHS "${_ross_lib}" NO_DEFAULT_PATH NO_CACHE REQUIRED)
  add_library(ROSS::ROSS UNKNOWN IMPORTED)
  set_target_properties(ROSS::ROSS PROPERTIES
    IMPORTED_LOCATION "${_ross_library}"
    INTERFACE_INCLUDE_DIRECTORIES "${_ross_prefix}/include/ross"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;m"
    INTERFACE_LINK_OPTIONS "-Wl,-T,${_ross_lib}/ross-model.ld")
  if(_ross_library MATCHES "[.]a$")
    target_link_options(ROSS::ROSS INTERFACE "-WlWRAPS")
  endif()
  if(EXISTS "${_ross_prefix}/include/ross-mpi/mpi.h")
    target_include_directories(ROSS::ROSS INTERFACE "${_ross_prefix}/include/ross-mpi")
  else()
    find_package(MPI REQUIRED COMPONENTS C)
    target_link_libraries(ROSS::ROSS INTERFACE MPI::MPI_C)
  endif()
  add_library(ROSS ALIAS ROSS::ROSS)
endif()
CMAKE

step "compiler driver: $prefix/bin/ross-cc"
cat >"$prefix/bin/ross-cc" <<CC
#!/bin/sh
# Compiles and links models of ROSS: the C compiler (\$$var, or $cc) with the headers and the library next to this file.
here=\$(cd "\$(dirname "\$0")/.." && pwd)
link="\$here/$lib/libROSS.a $libs"
link="\$link -Wl,-T,\$here/$lib/ross-model.ld$wraps"
[ -e "\$here/$lib/libROSS.a" ] || link="-L\$here/$lib -lROSS $libs -Wl,-rpath,\$here/$lib"
for word; do
	case \$word in
	-c | -E | -S | -M | -MM | -fsyntax-only) link= ;;
	esac
done
exec \${$var:-$cc} $includes "\$@" \$link
CC
chmod +x "$prefix/bin/ross-cc"
echo "libross: $prefix has it: $prefix/bin/ross-cc model.c -o model"
