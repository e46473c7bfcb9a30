# bash completion for mazurka. Options come from `mazurka COMMAND --help`, so that they are listed in one place.
_mazurka() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} files values
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "check replay states unfold gen cc c++ help --help --version" -- "$word")
    return
  fi
  [[ $command == cc || $command == c++ ]] && { compopt -o default; return; }
  # With `=`, readline splits --option=value into three words.
  [[ $word == = ]] && word='' && previous=${COMP_WORDS[COMP_CWORD - 1]}
  [[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
  case $previous in
    --html | --sarif | --junit | --save | --dot | --aut | --prefix | --convert | --net-dot) compopt -o default; return ;;
    --*)
      # An option that takes one of a few words says so in the help as {a,b,c}.
      values=$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | sed -n "s/^ *$previous [^{]*{\([^}]*\)}.*/\1/p")
      [[ -n $values ]] && { mapfile -t COMPREPLY < <(compgen -W "${values//,/ }" -- "$word"); return; }
      ;;
  esac
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W \
      "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)" -- "$word")
    return
  fi
  case $command in
    check) files='c|cc|cpp|cxx|C|tck|sync' ;;
    replay) files=mzk ;;
    states) files='tck|sync|aut' ;;
    unfold) files='ll_net|pnml|net|tck|sync' ;;
    gen) mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" gen --help 2>/dev/null |
      sed -n '/^Families:/,$s/^  \([a-z0-9]*\) .*/\1/p')" -- "$word"); return ;;
  esac
  compopt -o filenames
  mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -- "$word" | grep -E "\.($files)$";
    [[ $command == check ]] && compgen -f -- "$word" | while IFS= read -r f; do [[ -f $f && -x $f ]] && echo "$f"; done)
}
complete -F _mazurka mazurka
